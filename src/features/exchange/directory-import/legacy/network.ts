import type { About, Findings } from './findings.ts'
import { idIn } from './readers.ts'
import { inACell, canonical, firstOf, idOf, isNothing, isRecord, type Raw } from './shapes.ts'

/** What the old program's answers are lists of. */
export const KINDS = [
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
export type Kind = (typeof KINDS)[number]

/** A record put together from all places that have it. */
export interface Held {
  readonly id: string
  readonly kind: Kind
  /** The file that had it first. */
  readonly file: string
  /** True where a list of its kind has it, and not only another record that shows it. */
  readonly isListed: boolean
  readonly raw: Record<string, unknown>
}

/** Somebody in a role at a site. */
export interface Place {
  readonly id: string | null
  readonly site: string
  readonly person: string
  readonly role: string
  readonly file: string
  readonly left: Record<string, unknown>
}

/** What stands beside a record and is no field of it; a copy of a record inside another one may have an older one. */
const BOOKKEEPING = new Set(['__v', 'version', 'createdAt', 'updatedAt', 'updatedBy'])

/** The old program's network as its answers tell it: each record once, whatever shows it. */
export class OldNetwork {
  readonly records: Record<Kind, Map<string, Held>> = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as never
  readonly places = new Map<string, Place>()
  /** Which kinds a file lists. */
  readonly listed = new Set<Kind>()
  readonly #findings: Findings
  /** Ids by kind and slug. */
  readonly #slugs = new Map<string, string>()
  readonly #placesByPerson = new Map<string, Place[]>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Takes one record of a list. */
  take(kind: Kind, given: unknown, file: string, more: Raw = {}, isListed = true): void {
    if (!isRecord(given)) {
      if (!isNothing(given))
        this.#findings.add({ file, kind, record: '', name: '' }, '', 'not placed', { value: given, why: 'is no record' })
      return
    }
    const id = idIn(given) ?? idIn(given['slug'])
    const raw = { ...given, ...more }
    if (id === null)
      this.#findings.add({ file, kind, record: '', name: nameOf(raw) }, '', 'not placed', { value: given, why: 'has no _id' })
    else this.#hold(kind, id, raw, file, isListed)
  }

  #hold(kind: Kind, id: string, raw: Raw, file: string, isListed: boolean): Held {
    const records = this.records[kind]
    const before = records.get(id)
    if (!before) {
      const held: Held = { id, kind, file, isListed, raw: { ...raw } }
      records.set(id, held)
      const slug = raw['slug']
      if (typeof slug === 'string' && !this.#slugs.has(`${kind} ${slug.toLowerCase()}`))
        this.#slugs.set(`${kind} ${slug.toLowerCase()}`, id)
      return held
    }
    for (const [key, value] of Object.entries(raw)) this.#merge(before, key, value, file)
    return before
  }

  /** A field that a second place has as well: it fills in, or agrees, or is told. */
  #merge(held: Held, key: string, value: unknown, file: string, into: Record<string, unknown> = held.raw, path = key): void {
    const own = into[key]
    if (isNothing(value) || canonical(own) === canonical(value)) return
    if (!(key in into)) into[key] = value
    else if (BOOKKEEPING.has(key) || isSame(own, value)) return
    else if (isRicher(own, value)) into[key] = value
    else if (isRecord(own) && isRecord(value) && idOf(own) === idOf(value)) {
      const whole = { ...own }
      into[key] = whole
      for (const [inner, one] of Object.entries(value)) this.#merge(held, inner, one, file, whole, `${path}.${inner}`)
    } else this.#findings.add(aboutOf(held, file), path, 'differs', { value, stored: own, why: `${held.file} is followed` })
  }

  /** The id of what a field points at: an id, a slug, a record that is shown whole. What is shown is taken in. */
  point(kind: Kind, value: unknown, file: string): string | null {
    const id = idIn(value) ?? (isRecord(value) ? idIn(value['slug']) : null)
    if (id === null) return null
    if (isRecord(value)) {
      if (Object.keys(value).some((key) => key !== '_id' && key !== 'id' && key !== '$oid')) this.#hold(kind, id, value, file, false)
      return id
    }
    if (this.records[kind].has(id)) return id
    return this.#slugs.get(`${kind} ${id.toLowerCase()}`) ?? this.#named(kind, id) ?? id
  }

  /** Roles and program types may be told by their names. */
  #named(kind: Kind, name: string): string | undefined {
    if (kind !== 'role' && kind !== 'program_type') return undefined
    const wanted = name.trim().toLowerCase()
    for (const { id, raw } of this.records[kind].values())
      if (
        inACell(raw['name'] ?? '')
          .trim()
          .toLowerCase() === wanted
      )
        return id
    return undefined
  }

  /** Takes apart what records show of each other, when all lists are in. */
  untangle(): void {
    // A record that is first met inside another one is added at the end, and taken apart too.
    for (const held of this.records.brand.values()) this.#children(held, 'charters', 'charter', 'brand')
    for (const held of this.records.region.values()) this.#children(held, 'sites', 'site', 'region')
    for (const held of this.records.charter.values()) {
      this.#brandOf(held)
      this.#children(held, 'sites', 'site', 'charter')
      this.#affairOf(held)
    }
    for (const held of this.records.site.values()) this.#site(held)
    for (const held of this.records.sis_site.values()) held.raw['site'] = this.point('site', held.raw['site'], held.file)
    for (const held of this.records.person.values()) this.#person(held)
    // Charters and brands that only a site shows.
    for (const held of this.records.charter.values()) this.#brandOf(held)
  }

  #children(held: Held, field: string, kind: Kind, back: string): void {
    const list = held.raw[field]
    if (!Array.isArray(list)) return
    delete held.raw[field]
    for (const one of list) {
      const id = this.point(kind, one, held.file)
      const child = id === null ? undefined : this.records[kind].get(id)
      if (child) {
        const own = idOf(child.raw[back])
        if (own === null) child.raw[back] = held.id
        else if (own !== held.id && this.point(held.kind, child.raw[back], child.file) !== held.id)
          this.#findings.add(aboutOf(child, held.file), back, 'differs', { value: held.id, stored: own, why: `${child.file} is followed` })
      } else if (!isNothing(one)) this.#findings.add(aboutOf(held), field, 'missing', { value: one, why: 'is in no file' })
    }
  }

  /** A charter may name its brand by an id, by the brand itself, or by the brand's name and pictures alone. */
  #brandOf(held: Held): void {
    const { raw } = held
    const shown = Object.fromEntries(
      ['brandName', 'brandPhoto', 'brandIcon'].flatMap((key) => (isNothing(raw[key]) || isRecord(raw[key]) ? [] : [[key, raw[key]]])),
    )
    const whole = isRecord(raw['brandName']) ? raw['brandName'] : raw['brand']
    let id = this.point('brand', whole, held.file)
    const name = typeof shown['brandName'] === 'string' ? shown['brandName'].trim() : ''
    if (id === null && name !== '') id = this.#brandNamed(name)?.id ?? `brand-of-${held.id}`
    if (id !== null && name !== '' && !this.records.brand.has(id)) this.#hold('brand', id, { _id: id, brandName: name }, held.file, false)
    const brand = id === null ? undefined : this.records.brand.get(id)
    if (brand) for (const [key, value] of Object.entries(shown)) this.#merge(brand, key, value, held.file)
    raw['brand'] = id
    if (brand) for (const key of ['brandName', 'brandPhoto', 'brandIcon']) delete raw[key]
  }

  #brandNamed(name: string): Held | undefined {
    const isIt = ({ raw }: Held): boolean =>
      inACell(raw['brandName'] ?? raw['name'] ?? '')
        .trim()
        .toLowerCase() === name.toLowerCase()
    return [...this.records.brand.values()].find(isIt)
  }

  #affairOf(held: Held): void {
    const { first, others } = firstOf(held.raw['charter_affair_info'])
    delete held.raw['charter_affair_info']
    for (const one of others)
      if (!isNothing(one))
        this.#findings.add(aboutOf(held), 'charter_affair_info', 'not placed', { value: one, why: 'a charter has one charter affair' })
    if (isNothing(first)) return
    const known = idIn(first)
    const affair = isRecord(first) ? first : {}
    const id = known ?? `affair-of-${held.id}`
    if (Object.keys(affair).some((key) => key !== '_id' && key !== 'id') || this.records.charter_affair.has(id))
      this.#hold('charter_affair', id, { ...affair, charter: held.id }, held.file, false)
    else this.#findings.add(aboutOf(held), 'charter_affair_info', 'missing', { value: first, why: 'the charter affair is in no file' })
  }

  #site(held: Held): void {
    const { raw, file } = held
    raw['charter'] = this.point('charter', firstOf(raw['charter']).first, file)
    raw['region'] = this.point('region', firstOf(raw['region']).first, file)
    if (isRecord(raw['principal'])) {
      if (this.point('person', raw['principal'], file) !== null) delete raw['principal']
    }
    const people = raw['people']
    if (Array.isArray(people)) {
      delete raw['people']
      for (const one of people) this.#place(one, held.id, held, ['person', 'role_match'])
    }
    const sis = raw['sis_sites']
    if (Array.isArray(sis) && sis.every((one) => isRecord(one) || typeof one === 'string')) {
      delete raw['sis_sites']
      for (const one of sis) {
        const id = this.point('sis_site', one, file)
        const child = id === null ? undefined : this.records.sis_site.get(id)
        if (child) child.raw['site'] ??= held.id
        else if (!isNothing(one)) this.#findings.add(aboutOf(held), 'sis_sites', 'missing', { value: one, why: 'is in no file' })
      }
    }
  }

  #person(held: Held): void {
    for (const one of Array.isArray(held.raw['locations']) ? held.raw['locations'] : []) {
      if (isRecord(one) && 'role' in one) this.#place(one, one['site'] ?? one['location'], held, ['person', 'role'])
      else this.point('site', one, held.file)
    }
    const lists: [string, Kind][] = [
      ['sites', 'site'],
      ['roles', 'role'],
    ]
    for (const [field, kind] of lists)
      if (Array.isArray(held.raw[field])) held.raw[field] = held.raw[field].map((one) => this.point(kind, one, held.file))
    delete held.raw['locations']
  }

  #place(one: unknown, at: unknown, held: Held, [who, as]: readonly [string, string]): void {
    const tell = (why: string) =>
      this.#findings.add(aboutOf(held), held.kind === 'site' ? 'people' : 'locations', 'not placed', { value: one, why })
    if (isNothing(one)) return
    if (!isRecord(one)) return tell('says no role')
    const site = this.point('site', at, held.file)
    const person = held.kind === 'person' ? held.id : this.point('person', one[who], held.file)
    const role = this.point('role', firstOf(one[as] ?? one['role']).first, held.file)
    if (site === null || person === null || role === null)
      return tell(person === null ? 'names no person' : role === null ? 'names no role' : 'names no site')
    const id = idIn(one)
    const key = `${site} ${person} ${role}`
    const before = this.places.get(key)
    const left = Object.fromEntries(
      Object.entries(one).filter(([name]) => ![who, as, 'role', 'site', 'location', '_id', 'id'].includes(name)),
    )
    if (before && before.id !== null && id !== null && before.id !== id) return tell('is listed twice')
    const place: Place = { id: before?.id ?? id, site, person, role, file: before?.file ?? held.file, left: { ...left, ...before?.left } }
    this.places.set(key, place)
    if (!before) this.#placesByPerson.set(person, [...(this.#placesByPerson.get(person) ?? []), place])
  }

  /** Where somebody works, and as what. */
  placesOf(person: string): readonly Place[] {
    return this.#placesByPerson.get(person) ?? []
  }

  /** Takes the answer for one charter's affair: the charter with its affair, or the affair alone. `name` is what the file is called. */
  takeAffair(records: readonly unknown[], file: string, name: string): void {
    for (const one of records) {
      if (
        isRecord(one) &&
        !('charter_affair_info' in one) &&
        ('overview' in one || 'charter_terms' in one || 'mou' in one || 'funding' in one)
      ) {
        const charter = one['charter'] ?? one['charterId'] ?? this.point('charter', name, file)
        const id = idIn(one) ?? `affair-of-${inACell(idOf(charter))}`
        this.#hold('charter_affair', id, { ...one, charter: this.point('charter', charter, file) }, file, true)
      } else if (isRecord(one)) {
        const id = idIn(one) ?? this.point('charter', one['slug'] ?? name, file)
        if (id === null) continue
        const { charter_affair_info: affair, ...charter } = one
        // The lists say what a charter is; here it comes along with its affair.
        const held = this.#hold('charter', id, charter, file, false)
        this.#affairOf({ ...held, file, raw: { ...held.raw, charter_affair_info: affair } })
      }
    }
  }
}

/** True where one is the id of the other, or both are the same list of records told at different length. */
const isSame = (own: unknown, value: unknown): boolean => {
  if (Array.isArray(own) && Array.isArray(value))
    return own.length === value.length && own.every((one, n) => isSame(one, value[n]) || canonical(one) === canonical(value[n]))
  const [a, b] = [idOf(own), idOf(value)]
  return a !== null && a === b && (isRecord(own) || typeof value === 'string')
}
/** True where the second tells more of the same record. */
const isRicher = (own: unknown, value: unknown): boolean =>
  idOf(own) !== null && idOf(own) === idOf(value) && !isRecord(own) && isRecord(value)

export const nameOf = (raw: Raw): string => {
  for (const key of ['displayName', 'name', 'brandName', 'slug']) if (typeof raw[key] === 'string' && raw[key] !== '') return raw[key]
  return ''
}
export const aboutOf = ({ kind, id, raw, file }: Held, other = file): About => ({ file: other, kind, record: id, name: nameOf(raw) })
