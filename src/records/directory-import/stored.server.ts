import { sql } from 'kysely'

import { EXPECTED_ROLES } from '../../contract/roles.ts'
import { normalizeText } from '../../contract/text-match.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { ImportKind } from './import-kinds.ts'

export interface StoredRecord {
  readonly _id: string
  readonly values: Readonly<Record<string, unknown>>
  readonly isArchived: boolean
  readonly hasLeft: boolean
}

type Row = Readonly<Record<string, unknown>>

const readAll = async (db: Queryable, table: string, key = '_id'): Promise<Map<string, StoredRecord>> => {
  const { rows } = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} as t`.execute(db)
  return new Map(
    rows.map(({ row }) => {
      const _id = toText(row[key])
      return [_id, { _id, values: row, isArchived: (row['archivedAt'] ?? null) !== null, hasLeft: (row['leftAt'] ?? null) !== null }]
    }),
  )
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')
const fold = (text: unknown): string =>
  normalizeText(toText(text))
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Finds records by a text of theirs. */
const indexBy = (
  records: ReadonlyMap<string, StoredRecord>,
  toText: (values: Row) => string,
): ((text: string) => readonly StoredRecord[]) => {
  const index = Map.groupBy(records.values(), ({ values }) => toText(values))
  return (text) => (text === '' ? [] : (index.get(text) ?? []))
}

const only = (records: readonly StoredRecord[]): StoredRecord | undefined => (records.length === 1 ? records[0] : undefined)

/** The records that rows of a kind are compared with. */
export const readStored = async (db: Queryable, kind: ImportKind) => {
  const isPlace = kind === 'charters' || kind === 'sites'
  const none = new Map<string, StoredRecord>()
  const isStaff = kind === 'staff' || kind === 'employees'
  const [charters, sites, facilities, people, employees, sisSites] = [
    isPlace ? await readAll(db, 'charter') : none,
    await readAll(db, 'site'),
    isPlace ? await readAll(db, 'facility', 'site') : none,
    isPlace || kind === 'staff' ? await readAll(db, 'person') : none,
    isStaff ? await readAll(db, 'hr_person', 'PersonID') : none,
    kind === 'sis_sites' ? await readAll(db, 'sis_site') : none,
  ]
  const regions = await db.selectFrom('region').select(['_id', 'name']).where('archivedAt', 'is', null).execute()
  const brands = await db.selectFrom('brand').select(['_id', 'brandName']).execute()
  const roles = await db.selectFrom('role').select(['_id', 'name']).execute()
  const links = isPlace || kind === 'staff' ? await db.selectFrom('site_person').select(['person', 'site', 'role']).execute() : []
  const held = new Set(links.map(({ person, site, role }) => `${person} ${site} ${role}`))
  const directoryId = ({ directory_id: code }: Row) => (typeof code === 'string' ? code : '')
  const byCode = { charter: indexBy(charters, directoryId), site: indexBy(sites, directoryId) }
  const chartersByName = indexBy(charters, ({ name }) => fold(name))
  const sitesByName = indexBy(sites, ({ displayName }) => fold(displayName))
  const sitesByFinance = indexBy(sites, ({ finance_id: finance }) => toText(finance))
  const peopleBy = {
    number: indexBy(people, ({ sql_person_id: number }) => toText(number)),
    email: indexBy(people, ({ email }) => toText(email).toLowerCase()),
    name: indexBy(people, ({ name }) => fold(name)),
  }
  const sisByName = indexBy(sisSites, ({ name, site }) => `${fold(name)} ${toText(site)}`)
  const sisById = indexBy(sisSites, ({ siteId, site }) => (toText(siteId) === '' ? '' : `${toText(siteId)} ${toText(site)}`))
  return {
    regions: new Map(regions.map(({ _id, name }) => [name, _id])),
    principal: roles.find(({ name }) => name === EXPECTED_ROLES[0])?._id,
    names: new Map<string, string>([
      ...regions.map(({ _id, name }) => [_id, name] as const),
      ...brands.map(({ _id, brandName }) => [_id, brandName] as const),
      ...roles.map(({ _id, name }) => [_id, name] as const),
      ...[...charters, ...people, ...sisSites].map(([_id, { values }]) => [_id, toText(values['name'])] as const),
      ...[...employees].map(([_id, { values }]) => [_id, [values['FirstName'], values['LastName']].filter(Boolean).join(' ')] as const),
      ...[...sites].map(([_id, { values }]) => [_id, toText(values['displayName'])] as const),
    ]),
    /** Codes of two directories are different schools; without one, the name decides if only one record has it. */
    findCharter: (code: string | undefined, name: string): StoredRecord | undefined =>
      code === undefined
        ? only(chartersByName(fold(name)))
        : (only(byCode.charter(code)) ?? only(chartersByName(fold(name)).filter(({ values }) => directoryId(values) === ''))),
    findSite: (
      code: string | undefined,
      name: string,
      hints: { readonly charter?: string | undefined; readonly finance?: string | undefined; readonly address?: string | undefined },
    ): StoredRecord | undefined => {
      const found = code === undefined ? undefined : only(byCode.site(code))
      if (found) return found
      const financed = hints.finance === undefined ? undefined : only(sitesByFinance(hints.finance))
      if (financed) return financed
      const named = sitesByName(fold(name)).filter(
        ({ values }) =>
          (code === undefined || directoryId(values) === '') && (hints.charter === undefined || values['charter'] === hints.charter),
      )
      return (
        only(named) ?? only(named.filter(({ values }) => hints.address !== undefined && fold(values['address_1']) === fold(hints.address)))
      )
    },
    findFacility: (site: string) => facilities.get(site),
    findPerson: (number: string | undefined, email: string | undefined, name: string): StoredRecord | undefined =>
      (number === undefined ? undefined : only(peopleBy.number(number))) ??
      (email === undefined ? undefined : only(peopleBy.email(email.toLowerCase()))) ??
      only(
        peopleBy
          .name(fold(name))
          .filter(
            ({ values }) =>
              (number === undefined || toText(values['sql_person_id']) === '') && (email === undefined || toText(values['email']) === ''),
          ),
      ),
    employees,
    findEmployee: (number: string) => employees.get(number),
    findSisSite: (id: string | undefined, name: string, site: string): StoredRecord | undefined =>
      (id === undefined ? undefined : only(sisById(`${id} ${site}`))) ?? only(sisByName(`${fold(name)} ${site}`)),
    /** Whether a person has a role at a site; undefined if the file does not name both. */
    hasRole: (person: string | undefined, site: string | undefined, role: string | undefined): boolean | undefined =>
      site === undefined || role === undefined ? undefined : person !== undefined && held.has(`${person} ${site} ${role}`),
  }
}
export type Stored = Awaited<ReturnType<typeof readStored>>
