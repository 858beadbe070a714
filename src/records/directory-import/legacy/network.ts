import { isObject } from '../../../contract/objects.ts'
import type { RecordRef, Findings } from './findings.ts'
import { formatCell, toCanonicalJson, splitFirst, getId, isEmpty, type RawRecord } from './raw-values.ts'
import { parseId } from './value-readers.ts'

/** The kinds of record in the old program's responses. */
export const LEGACY_KINDS = [
  'region',
  'role',
  'program_type',
  'brand',
  'charter',
  'site',
  'person',
  'sis_site',
  'charter_affair',
  'permission',
] as const
export type Kind = (typeof LEGACY_KINDS)[number]

/** A record merged from everything that contains it. */
export interface LegacyRecord {
  readonly id: string
  readonly kind: Kind
  /** The first file that contained it. */
  readonly file: string
  /** Whether a list of its kind contains it, not only another record. */
  readonly isListed: boolean
  readonly raw: Record<string, unknown>
}

/** Someone in a role at a site. */
export interface LegacyPosition {
  readonly id: string | null
  readonly site: string
  readonly person: string
  readonly role: string
  readonly file: string
  readonly unread: Record<string, unknown>
}

/** Properties of a record that are not fields; a copy of a record inside another one may have older ones. */
const METADATA_FIELDS = new Set(['__v', 'version', 'createdAt', 'updatedAt', 'updatedBy', 'checkedAt', 'checkedBy'])

/** The old program's network, reconstructed from its responses: each record once, wherever it appears. */
export class LegacyNetwork {
  readonly records: Record<Kind, Map<string, LegacyRecord>> = Object.fromEntries(LEGACY_KINDS.map((kind) => [kind, new Map()])) as never
  readonly positions = new Map<string, LegacyPosition>()
  /** The kinds for which a list was read. */
  readonly listedKinds = new Set<Kind>()
  readonly #findings: Findings
  /** Ids by kind and slug. */
  readonly #slugs = new Map<string, string>()
  readonly #positionsByPerson = new Map<string, LegacyPosition[]>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Adds one record of a list. */
  addRecord(kind: Kind, given: unknown, file: string, more: RawRecord = {}, isListed = true): void {
    if (!isObject(given)) {
      if (!isEmpty(given))
        this.#findings.add({ file, kind, recordId: '', name: '' }, '', 'not placed', { value: given, reason: 'is not a record' })
      return
    }
    const id = parseId(given) ?? parseId(given['slug'])
    const raw = { ...given, ...more }
    if (id === null)
      this.#findings.add({ file, kind, recordId: '', name: getName(raw) }, '', 'not placed', { value: given, reason: 'has no _id' })
    else this.#hold(kind, id, raw, file, isListed)
  }

  #hold(kind: Kind, id: string, raw: RawRecord, file: string, isListed: boolean): LegacyRecord {
    const records = this.records[kind]
    const before = records.get(id)
    if (!before) {
      const held: LegacyRecord = { id, kind, file, isListed, raw: { ...raw } }
      records.set(id, held)
      const slug = raw['slug']
      if (typeof slug === 'string' && !this.#slugs.has(`${kind} ${slug.toLowerCase()}`))
        this.#slugs.set(`${kind} ${slug.toLowerCase()}`, id)
      return held
    }
    for (const [key, value] of Object.entries(raw)) this.#merge(before, key, value, file)
    return before
  }

  /** Merges another occurrence of a field: it completes the record, is equal, or is reported. */
  #merge(held: LegacyRecord, key: string, value: unknown, file: string, into: Record<string, unknown> = held.raw, path = key): void {
    const own = into[key]
    if (isEmpty(value) || toCanonicalJson(own) === toCanonicalJson(value)) return
    if (!(key in into)) into[key] = value
    else if (METADATA_FIELDS.has(key) || isSameValue(own, value)) return
    else if (isMoreComplete(own, value)) into[key] = value
    else if (isObject(own) && isObject(value) && getId(own) === getId(value)) {
      const whole = { ...own }
      into[key] = whole
      for (const [inner, one] of Object.entries(value)) this.#merge(held, inner, one, file, whole, `${path}.${inner}`)
    } else this.#findings.add(toRecordRef(held, file), path, 'differs', { value, stored: own, reason: `${held.file} is followed` })
  }

  /** The id of a referenced record, given as an id, a slug, or a nested record, which is added. */
  resolveReference(kind: Kind, value: unknown, file: string): string | null {
    const id = parseId(value) ?? (isObject(value) ? parseId(value['slug']) : null)
    if (id === null) return null
    if (isObject(value)) {
      if (Object.keys(value).some((key) => key !== '_id' && key !== 'id' && key !== '$oid')) this.#hold(kind, id, value, file, false)
      return id
    }
    if (this.records[kind].has(id)) return id
    return this.#slugs.get(`${kind} ${id.toLowerCase()}`) ?? this.#named(kind, id) ?? id
  }

  /** Roles and program types may be identified by their names. */
  #named(kind: Kind, name: string): string | undefined {
    if (kind !== 'role' && kind !== 'program_type') return undefined
    const wanted = name.trim().toLowerCase()
    for (const { id, raw } of this.records[kind].values())
      if (
        formatCell(raw['name'] ?? '')
          .trim()
          .toLowerCase() === wanted
      )
        return id
    return undefined
  }

  /** Extracts the records nested in others, after all lists are read. */
  resolveNestedRecords(): void {
    // A record first found inside another one is appended, and extracted too.
    for (const held of this.records.brand.values()) this.#children(held, 'charters', 'charter', 'brand')
    for (const held of this.records.region.values()) this.#children(held, 'sites', 'site', 'region')
    for (const held of this.records.charter.values()) {
      this.#brandOf(held)
      this.#children(held, 'sites', 'site', 'charter')
      this.#affairOf(held)
    }
    for (const held of this.records.site.values()) this.#site(held)
    for (const held of this.records.sis_site.values()) held.raw['site'] = this.resolveReference('site', held.raw['site'], held.file)
    for (const held of this.records.person.values()) this.#person(held)
    // Charters and brands that appear only within a site.
    for (const held of this.records.charter.values()) this.#brandOf(held)
  }

  #children(held: LegacyRecord, field: string, kind: Kind, back: string): void {
    const list = held.raw[field]
    if (!Array.isArray(list)) return
    delete held.raw[field]
    for (const one of list) {
      const id = this.resolveReference(kind, one, held.file)
      const child = id === null ? undefined : this.records[kind].get(id)
      if (child) {
        const own = getId(child.raw[back])
        if (own === null) child.raw[back] = held.id
        else if (own !== held.id && this.resolveReference(held.kind, child.raw[back], child.file) !== held.id)
          this.#findings.add(toRecordRef(child, held.file), back, 'differs', {
            value: held.id,
            stored: own,
            reason: `${child.file} is followed`,
          })
      } else if (!isEmpty(one)) this.#findings.add(toRecordRef(held), field, 'missing', { value: one, reason: 'is in no file' })
    }
  }

  /** A charter may give its brand as an id, a nested brand, or only the brand's name and pictures. */
  #brandOf(held: LegacyRecord): void {
    const { raw } = held
    const shown = Object.fromEntries(
      ['brandName', 'brandPhoto', 'brandIcon'].flatMap((key) => (isEmpty(raw[key]) || isObject(raw[key]) ? [] : [[key, raw[key]]])),
    )
    const whole = isObject(raw['brandName']) ? raw['brandName'] : raw['brand']
    let id = this.resolveReference('brand', whole, held.file)
    const name = typeof shown['brandName'] === 'string' ? shown['brandName'].trim() : ''
    if (id === null && name !== '') id = this.#brandNamed(name)?.id ?? `brand-of-${held.id}`
    if (id !== null && name !== '' && !this.records.brand.has(id)) this.#hold('brand', id, { _id: id, brandName: name }, held.file, false)
    const brand = id === null ? undefined : this.records.brand.get(id)
    if (brand) for (const [key, value] of Object.entries(shown)) this.#merge(brand, key, value, held.file)
    raw['brand'] = id
    if (brand) for (const key of ['brandName', 'brandPhoto', 'brandIcon']) delete raw[key]
  }

  #brandNamed(name: string): LegacyRecord | undefined {
    const isIt = ({ raw }: LegacyRecord): boolean =>
      formatCell(raw['brandName'] ?? raw['name'] ?? '')
        .trim()
        .toLowerCase() === name.toLowerCase()
    return [...this.records.brand.values()].find(isIt)
  }

  #affairOf(held: LegacyRecord): void {
    const { first, others } = splitFirst(held.raw['charter_affair_info'])
    delete held.raw['charter_affair_info']
    for (const one of others)
      if (!isEmpty(one))
        this.#findings.add(toRecordRef(held), 'charter_affair_info', 'not placed', {
          value: one,
          reason: 'a charter has one charter affair',
        })
    if (isEmpty(first)) return
    const known = parseId(first)
    const affair = isObject(first) ? first : {}
    const id = known ?? `affair-of-${held.id}`
    if (Object.keys(affair).some((key) => key !== '_id' && key !== 'id') || this.records.charter_affair.has(id))
      this.#hold('charter_affair', id, { ...affair, charter: held.id }, held.file, false)
    else
      this.#findings.add(toRecordRef(held), 'charter_affair_info', 'missing', { value: first, reason: 'the charter affair is in no file' })
  }

  #site(held: LegacyRecord): void {
    const { raw, file } = held
    raw['charter'] = this.resolveReference('charter', splitFirst(raw['charter']).first, file)
    raw['region'] = this.resolveReference('region', splitFirst(raw['region']).first, file)
    if (isObject(raw['principal'])) {
      if (this.resolveReference('person', raw['principal'], file) !== null) delete raw['principal']
    }
    const people = raw['people']
    if (Array.isArray(people)) {
      delete raw['people']
      for (const one of people) this.#addPosition(one, held.id, held, ['person', 'role_match'])
    }
    const sis = raw['sis_sites']
    if (Array.isArray(sis) && sis.every((one) => isObject(one) || typeof one === 'string')) {
      delete raw['sis_sites']
      for (const one of sis) {
        const id = this.resolveReference('sis_site', one, file)
        const child = id === null ? undefined : this.records.sis_site.get(id)
        if (child) child.raw['site'] ??= held.id
        else if (!isEmpty(one)) this.#findings.add(toRecordRef(held), 'sis_sites', 'missing', { value: one, reason: 'is in no file' })
      }
    }
  }

  #person(held: LegacyRecord): void {
    for (const one of Array.isArray(held.raw['locations']) ? held.raw['locations'] : []) {
      if (isObject(one) && 'role' in one) this.#addPosition(one, one['site'] ?? one['location'], held, ['person', 'role'])
      else this.resolveReference('site', one, held.file)
    }
    const lists: [string, Kind][] = [
      ['sites', 'site'],
      ['roles', 'role'],
    ]
    for (const [field, kind] of lists)
      if (Array.isArray(held.raw[field])) held.raw[field] = held.raw[field].map((one) => this.resolveReference(kind, one, held.file))
    delete held.raw['locations']
  }

  #addPosition(one: unknown, at: unknown, held: LegacyRecord, [who, as]: readonly [string, string]): void {
    const report = (reason: string) =>
      this.#findings.add(toRecordRef(held), held.kind === 'site' ? 'people' : 'locations', 'not placed', { value: one, reason })
    if (isEmpty(one)) return
    if (!isObject(one)) return report('says no role')
    const site = this.resolveReference('site', at, held.file)
    const person = held.kind === 'person' ? held.id : this.resolveReference('person', one[who], held.file)
    const role = this.resolveReference('role', splitFirst(one[as] ?? one['role']).first, held.file)
    if (site === null || person === null || role === null)
      return report(person === null ? 'names no person' : role === null ? 'names no role' : 'names no site')
    const id = parseId(one)
    const key = `${site} ${person} ${role}`
    const before = this.positions.get(key)
    const left = Object.fromEntries(
      Object.entries(one).filter(([name]) => ![who, as, 'role', 'site', 'location', '_id', 'id'].includes(name)),
    )
    if (before && before.id !== null && id !== null && before.id !== id) return report('is listed twice')
    const position: LegacyPosition = {
      id: before?.id ?? id,
      site,
      person,
      role,
      file: before?.file ?? held.file,
      unread: { ...left, ...before?.unread },
    }
    this.positions.set(key, position)
    if (!before) this.#positionsByPerson.set(person, [...(this.#positionsByPerson.get(person) ?? []), position])
  }

  /** The sites where someone works, with their roles. */
  listPositionsOf(person: string): readonly LegacyPosition[] {
    return this.#positionsByPerson.get(person) ?? []
  }

  /** Adds the response for one charter's affair: the charter with its affair, or the affair alone. `name` is the file name. */
  addAffair(records: readonly unknown[], file: string, name: string): void {
    for (const one of records) {
      if (
        isObject(one) &&
        !('charter_affair_info' in one) &&
        ('overview' in one || 'charter_terms' in one || 'mou' in one || 'funding' in one)
      ) {
        const charter = one['charter'] ?? one['charterId'] ?? this.resolveReference('charter', name, file)
        const id = parseId(one) ?? `affair-of-${formatCell(getId(charter))}`
        this.#hold('charter_affair', id, { ...one, charter: this.resolveReference('charter', charter, file) }, file, true)
      } else if (isObject(one)) {
        const id = parseId(one) ?? this.resolveReference('charter', one['slug'] ?? name, file)
        if (id === null) continue
        const { charter_affair_info: affair, ...charter } = one
        // The lists define the charter; here it is only nested with its affair.
        const held = this.#hold('charter', id, charter, file, false)
        this.#affairOf({ ...held, file, raw: { ...held.raw, charter_affair_info: affair } })
      }
    }
  }
}

/** Whether one is the id of the other, or both are lists of the same records with different detail. */
const isSameValue = (own: unknown, value: unknown): boolean => {
  if (Array.isArray(own) && Array.isArray(value))
    return (
      own.length === value.length && own.every((one, n) => isSameValue(one, value[n]) || toCanonicalJson(one) === toCanonicalJson(value[n]))
    )
  const [a, b] = [getId(own), getId(value)]
  return a !== null && a === b && (isObject(own) || typeof value === 'string')
}
/** Whether the second contains more of the same record. */
const isMoreComplete = (own: unknown, value: unknown): boolean =>
  getId(own) !== null && getId(own) === getId(value) && !isObject(own) && isObject(value)

export const getName = (raw: RawRecord): string => {
  for (const key of ['displayName', 'name', 'brandName', 'slug']) if (typeof raw[key] === 'string' && raw[key] !== '') return raw[key]
  return ''
}
export const toRecordRef = ({ kind, id, raw, file }: LegacyRecord, other = file): RecordRef => ({
  file: other,
  kind,
  recordId: id,
  name: getName(raw),
})
