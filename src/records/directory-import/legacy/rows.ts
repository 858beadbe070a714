import { isEmail } from '../../../contract/emails.ts'
import { isObject } from '../../../contract/objects.ts'
import { LEGACY_FIELDS, LEGACY_SECTIONS } from './fields.ts'
import type { RecordRef, Findings } from './findings.ts'
import { toRecordRef, type LegacyRecord, type LegacyNetwork } from './network.ts'
import { splitFirst, getId, formatCell, isEmpty, type RawRecord } from './raw-values.ts'
import { RecordReader } from './record-reader.ts'
import { parseId, parseMoment, type ReaderContext } from './value-readers.ts'

/** The tables that an import writes, in the order of their references. */
export const LEGACY_TABLES = ['region', 'role', 'program_type', 'brand', 'charter', 'site', 'facility', 'enrollment', 'site_program_type', 'person', 'site_person', 'sis_site', 'charter_affair', 'authorizer_board_member', 'center_district', 'permission'] as const // prettier-ignore
export type TableName = (typeof LEGACY_TABLES)[number]

/** A row of the folder. Columns that no file contains are missing, and keep their stored values. */
export interface ImportRow {
  readonly table: TableName
  /** The `_id`; for a facility or enrollment that of their site; null if the old program had none. */
  readonly id: string | null
  readonly ref: RecordRef
  readonly values: Record<string, unknown>
  /** When and by whom it was last changed in the old program; for a charter also when its students were counted. */
  readonly metadata: Readonly<Record<string, string>>
}

/** A picture's URL in the old program, and the column for it. */
export interface PictureReference {
  readonly row: ImportRow
  readonly column: string
  readonly value: string
}

/** Converts the old network to rows; values without a column are reported. */
export class ImportRows {
  readonly rows: Record<TableName, ImportRow[]> = Object.fromEntries(LEGACY_TABLES.map((table) => [table, []])) as never
  readonly pictures: PictureReference[] = []
  readonly #network: LegacyNetwork
  readonly #findings: Findings
  readonly #reading: ReaderContext
  readonly #appId: string

  constructor(network: LegacyNetwork, findings: Findings, reading: ReaderContext, appId: string) {
    this.#network = network
    this.#findings = findings
    this.#reading = reading
    this.#appId = appId
    const { records } = network
    for (const held of records.region.values()) this.#plain('region', held)
    for (const held of records.role.values()) this.#plain('role', held)
    for (const held of records.brand.values()) this.#brand(held)
    for (const held of records.charter.values()) this.#charter(held)
    for (const held of records.site.values()) this.#site(held)
    // Sites may use program types that are in no list.
    for (const held of records.program_type.values()) this.#plain('program_type', held)
    for (const held of records.person.values()) this.#person(held)
    this.#positions()
    for (const held of records.sis_site.values()) this.#sis(held)
    for (const held of records.charter_affair.values()) this.#affair(held)
    for (const held of records.permission.values()) this.#permission(held)
  }

  #taking(raw: RawRecord, about: RecordRef, path = ''): RecordReader {
    return new RecordReader(raw, about, this.#findings, this.#reading, path)
  }

  /** Starts reading a record, with the properties that are not fields. */
  #begin(held: LegacyRecord): { taking: RecordReader; about: RecordRef } {
    const about = toRecordRef(held)
    const taking = this.#taking(held.raw, about)
    taking.ignore('_id')
    if (getId(held.raw['id']) === held.id) taking.ignore('id')
    return { taking, about }
  }

  #row(table: TableName, id: string | null, about: RecordRef, values: Record<string, unknown>, taking?: RecordReader): ImportRow {
    const kept: Record<string, string> = {}
    const updatedAt = parseMoment(taking?.raw('updatedAt'))
    if (updatedAt !== undefined) {
      kept['updatedAt'] = updatedAt
      const by = taking?.raw('updatedBy')
      if (typeof by === 'string') kept['updatedBy'] = by
    }
    const checkedAt = parseMoment(taking?.raw('checkedAt'))
    const checkedBy = taking?.raw('checkedBy')
    if (checkedAt !== undefined) kept['checkedAt'] = checkedAt
    if (checkedAt !== undefined && typeof checkedBy === 'string') kept['checkedBy'] = checkedBy
    const row: ImportRow = { table, id, ref: about, values, metadata: kept }
    this.rows[table].push(row)
    return row
  }

  #plain(table: 'region' | 'role' | 'program_type', held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS[table])
    this.#row(table, held.id, about, values, taking)
    taking.reportUnread()
  }

  #brand(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.brand)
    const row = this.#row('brand', held.id, about, values, taking)
    this.#picture(row, 'brandPhoto', taking)
    this.#picture(row, 'brandIcon', taking)
    taking.reportUnread()
  }

  #charter(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.charter)
    values['brand'] = parseId(taking.raw('brand'))
    // Derived from its sites, as shown in brands.
    taking.ignore('siteCount', 'activeSiteCount')
    const counted = parseMoment(taking.raw('studentCountUpdatedAt'))
    const row = this.#row('charter', held.id, about, values, taking)
    if (counted !== undefined) Object.assign(row.metadata, { studentCountUpdatedAt: counted })
    this.#picture(row, 'photo', taking)
    taking.reportUnread()
  }

  #picture(row: ImportRow, column: string, taking: RecordReader): void {
    const value = taking.raw(column)
    if (value === undefined) return
    row.values[column] = null
    const { first, others } = splitFirst(value)
    const address = isObject(first) ? (first['url'] ?? first['src'] ?? first['location'] ?? first['path']) : first
    if (typeof address === 'string' && address !== '') this.pictures.push({ row, column, value: address })
    else if (!isEmpty(first)) this.#findings.add(row.ref, column, 'refused', { value: first, reason: 'is not a picture' })
    if (others.length > 0) this.#findings.add(row.ref, column, 'no place', { value: others })
  }

  #site(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    const { first: nested, others } = splitFirst(taking.raw('address'))
    const inside = isObject(nested) ? this.#taking(nested, about, 'address.') : undefined
    inside?.readInto(values, LEGACY_FIELDS.address)
    inside?.reportUnread()
    if (!inside && !isEmpty(nested)) {
      if (typeof nested === 'string') values['address_1'] = nested
      else this.#findings.add(about, 'address', 'no place', { value: nested })
    }
    if (others.length > 0) this.#findings.add(about, 'address', 'no place', { value: others, reason: 'a site has one address' })
    taking.readInto(values, LEGACY_FIELDS.site)
    this.#flatAddress(held, taking, values)
    if (values['category'] === 'Administration Office') {
      values['category'] = 'Administrative Office'
      this.#findings.add(about, 'category', 'changed', {
        value: 'Administration Office',
        stored: 'Administrative Office',
        reason: 'one name for one type',
      })
    }
    for (const column of ['charter', 'region'] as const) {
      const given = taking.raw(column)
      if (given !== undefined) values[column] = parseId(given)
    }
    const facility = taking.raw('facility_info', 'facility')
    const enrollment = taking.raw('enrollment_info', 'enrollment')
    const row = this.#row('site', held.id, about, values, taking)
    this.#picture(row, 'photo', taking)
    taking.reportUnread()
    this.#facility(held, facility)
    this.#enrollment(held, enrollment)
  }

  /** Address fields may also be at the top level of a site; as copies they equal the address. */
  #flatAddress({ raw }: LegacyRecord, taking: RecordReader, values: Record<string, unknown>): void {
    for (const [name, field] of Object.entries(LEGACY_FIELDS.address)) {
      if (!(name in raw)) continue
      const nested = values[name]
      if (name in values && (isEmpty(raw[name]) || field.read(raw[name], this.#reading).value === nested)) taking.ignore(name)
      else if (!(name in values)) taking.readInto(values, { [name]: field })
    }
  }

  /** A part that a site has once; values that do not fit are reported. */
  #part(held: LegacyRecord, field: string, given: unknown): { raw: RawRecord; about: RecordRef } | undefined {
    const { first, others } = splitFirst(given)
    const about = { ...toRecordRef(held), kind: field.replace('_info', '') }
    if (others.length > 0) this.#findings.add(about, field, 'no place', { value: others, reason: 'a site has one' })
    if (isObject(first)) return { raw: first, about }
    if (!isEmpty(first)) this.#findings.add(about, field, 'missing', { value: first, reason: 'only its id is known' })
    return undefined
  }

  #facility(held: LegacyRecord, given: unknown): void {
    const part = this.#part(held, 'facility_info', given)
    if (!part) return
    const taking = this.#taking(part.raw, part.about)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.facility)
    if (values['lease_end_open'] === true && !isEmpty(values['lease_end'])) {
      this.#findings.add(part.about, 'lease_end', 'refused', { value: values['lease_end'], reason: 'the lease is open-ended' })
      values['lease_end'] = null
    }
    if (parseId(part.raw['site']) === held.id) taking.ignore('site')
    this.#row('facility', held.id, part.about, values, taking)
    taking.reportUnread()
  }

  #enrollment(held: LegacyRecord, given: unknown): void {
    const part = this.#part(held, 'enrollment_info', given)
    if (!part) return
    const { raw, about } = part
    const taking = this.#taking(raw, about)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.enrollment)
    const orientation = taking.raw('orientation')
    const { first } = splitFirst(orientation)
    if (isObject(first)) {
      const inside = this.#taking(first, about, 'orientation.')
      inside.readInto(values, LEGACY_FIELDS.orientation)
      inside.reportUnread()
    } else if (!isEmpty(first)) this.#findings.add(about, 'orientation', 'no place', { value: first })
    taking.readInto(values, LEGACY_FIELDS.orientation)
    this.#programs(held, about, taking.raw('programTypes', 'programs', 'services'))
    if (parseId(raw['site']) === held.id) taking.ignore('site')
    this.#row('enrollment', held.id, about, values, taking)
    taking.reportUnread()
  }

  #programs(held: LegacyRecord, about: RecordRef, given: unknown): void {
    const seen = new Set<string>()
    for (const one of Array.isArray(given) ? given : isEmpty(given) ? [] : [given]) {
      const named = isObject(one) && getId(one) === null ? one['name'] : one
      let program = this.#network.resolveReference('program_type', named, held.file)
      if (
        program !== null &&
        typeof named === 'string' &&
        !this.#network.records.program_type.has(program) &&
        !/^[0-9a-f]{24}$|^[0-9a-f-]{36}$/i.test(named)
      ) {
        // A name that is in no list becomes a new type.
        this.#network.addRecord('program_type', { _id: program, name: named }, held.file)
      }
      program = program === null ? null : program
      if (program === null) this.#findings.add(about, 'programTypes', 'no place', { value: one })
      else if (seen.has(program)) this.#findings.add(about, 'programTypes', 'not placed', { value: one, reason: 'is listed twice' })
      else this.#row('site_program_type', null, { ...about, name: formatCell(named) }, { site: held.id, program_type: program })
      if (program !== null) seen.add(program)
    }
  }

  #person(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.person)
    this.#row('person', held.id, about, values, taking)
    const own = this.#network.listPositionsOf(held.id)
    const covered = { sites: new Set(own.map(({ site }) => site)), roles: new Set(own.map(({ role }) => role)) }
    for (const field of ['sites', 'roles'] as const) {
      const list = taking.raw(field)
      for (const one of Array.isArray(list) ? list : isEmpty(list) ? [] : [list]) {
        if (typeof one !== 'string' || !covered[field].has(one)) {
          const reason = field === 'sites' ? 'no file says in which role' : 'no file says at which site'
          this.#findings.add(about, field, 'not placed', { value: one, reason })
        }
      }
    }
    taking.reportUnread()
  }

  #positions(): void {
    for (const { id, site, person, role, file, unread: left } of this.#network.positions.values()) {
      const about: RecordRef = {
        file,
        kind: 'site_person',
        recordId: id ?? '',
        name: `${this.#nameOf('person', person)} at ${this.#nameOf('site', site)}`,
      }
      const taking = this.#taking(left, about)
      this.#row('site_person', id, about, { site, person, role }, taking)
      taking.reportUnread()
    }
  }

  #nameOf(kind: 'person' | 'site', id: string): string {
    const held = this.#network.records[kind].get(id)
    return held ? toRecordRef(held).name : id
  }

  #sis(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.sis_site)
    values['site'] = parseId(taking.raw('site'))
    this.#row('sis_site', held.id, about, values, taking)
    taking.reportUnread()
  }

  #affair(held: LegacyRecord): void {
    const { taking, about } = this.#begin(held)
    const values: Record<string, unknown> = { charter: parseId(taking.raw('charter', 'charterId')) }
    for (const [section, fields] of Object.entries(LEGACY_SECTIONS)) {
      const { first, others } = splitFirst(taking.raw(section))
      if (others.length > 0) this.#findings.add(about, section, 'no place', { value: others })
      if (!isObject(first)) {
        if (!isEmpty(first)) this.#findings.add(about, section, 'no place', { value: first })
        continue
      }
      const inside = this.#taking(first, about, `${section}.`)
      const read: Record<string, unknown> = {}
      inside.readInto(read, fields)
      inside.reportUnread()
      values[section] = read
    }
    const lists = [
      ['authorizer_board_member', LEGACY_FIELDS.member],
      ['center_district', LEGACY_FIELDS.district],
    ] as const
    for (const [table, fields] of lists) {
      const given = taking.raw(table)
      for (const [n, one] of (Array.isArray(given) ? given : isEmpty(given) ? [] : [given]).entries()) {
        if (!isObject(one)) {
          this.#findings.add(about, table, 'not placed', { value: one, reason: 'is not a record' })
          continue
        }
        const id = parseId(one)
        const its: RecordRef = { ...about, kind: table, recordId: id ?? `${held.id} ${n + 1}` }
        const inside = this.#taking(one, its)
        const own: Record<string, unknown> = { charter_affair: held.id }
        inside.readInto(own, fields)
        inside.ignore('_id', 'id')
        this.#row(table, id ?? `${table === 'center_district' ? 'district' : 'member'}-${n + 1}-of-${held.id}`, its, own, inside)
        inside.reportUnread()
      }
    }
    this.#row('charter_affair', held.id, about, values, taking)
    taking.reportUnread()
  }

  #permission(held: LegacyRecord): void {
    const { taking, about: whose } = this.#begin(held)
    const given = taking.raw('personID')
    const person: RawRecord = isObject(given) ? given : isObject(held.raw['userInfo']) ? held.raw['userInfo'] : held.raw
    const azureID = typeof person['azureID'] === 'string' ? person['azureID'].trim() : ''
    const name = typeof person['name'] === 'string' && person['name'] !== '' ? person['name'] : azureID
    const about = { ...whose, name }
    const application = formatCell(taking.raw('applicationID'))
    const values: Record<string, unknown> = {}
    taking.readInto(values, LEGACY_FIELDS.permission)
    const level = values['accessLevel']
    const reason = !isEmail(azureID)
      ? 'says no email address as azureID'
      : application !== '' && application !== this.#appId
        ? `is of the application ${application}; ours is ${this.#appId} (APP_ID)`
        : typeof level !== 'number' || level < 1 || level > 10
          ? 'has no level from 1 to 10'
          : undefined
    if (reason !== undefined) return this.#findings.add(about, '', 'not placed', { value: held.raw, reason })
    values['accessName'] ??= 'Admin'
    const known = parseId(person['_id'] ?? person['personDbID'])
    this.#row('permission', held.id, about, { ...values, applicationID: this.#appId, azureID, name, person: known }, taking)
    if (isObject(given)) {
      const inside = this.#taking(given, about, 'personID.')
      inside.ignore('name', 'azureID', '_id', 'personDbID')
      inside.reportUnread()
    } else {
      taking.ignore('userInfo', 'name', 'azureID')
      if (given !== undefined && known === null) this.#findings.add(about, 'personID', 'no place', { value: given })
    }
    taking.reportUnread()
  }
}
