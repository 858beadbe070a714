import { type RawBuilder, sql } from 'kysely'

import { PERSONAL_COLUMNS, type PersonalKind, RECORD_KINDS, NAME_COLUMNS } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { workEmails } from '../levels/queries.server.ts'
import { type FoundText, toPattern, toPhoneDigits } from './personal-texts.ts'
import { listTextTables } from './text-columns.server.ts'

/** Who is erased: a record with everything that says who it is. */
export interface Subject {
  readonly kind: PersonalKind
  readonly record: string
  /** The record, and those that were merged into it. */
  readonly records: readonly string[]
  readonly name: string
  readonly version: number
  /** All that they were called, and can be reached at. */
  readonly texts: readonly FoundText[]
  /** Those that nothing else in the network is called: they are erased wherever they are found. */
  readonly own: readonly FoundText[]
  readonly accounts: readonly string[]
  /** Their rows in the HR source, and in the directory. */
  readonly employees: readonly string[]
  readonly directoryUsers: readonly string[]
}

type RecordKey = Pick<Subject, 'kind' | 'records'>
const isAny = (records: readonly string[]) => sql`any(${[...records]}::text[])`

interface TextRow {
  readonly key: string
  readonly value: string
}

/** Every value of the personal columns: of the record, its history, suggestions and plans. */
const listRecordTexts = async (db: Queryable, { kind, records }: RecordKey): Promise<FoundText[]> => {
  const columns = PERSONAL_COLUMNS[kind]
  const { rows } = await sql<TextRow>`
    with objects as (
      select to_jsonb(t) as object from ${sql.table(kind)} as t where _id = ${isAny(records)}
      union all select before from change where "table" = ${kind} and record = ${isAny(records)} and before is not null
      union all select after from change where "table" = ${kind} and record = ${isAny(records)} and after is not null
      union all select changes from planned_change where kind = ${kind} and record = ${isAny(records)}
      union all select before from planned_change where kind = ${kind} and record = ${isAny(records)}
      union all select jsonb_build_object(path, told) from proposal join proposal_field on proposal = proposal._id,
        lateral (values (before), (suggested), (proposal_field.value)) as given(told) where proposal.kind = ${kind} and record = ${isAny(records)}
      union all select jsonb_build_object('slug', slug) from former_slug where "table" = ${kind} and record = ${isAny(records)})
    select distinct key, value from objects, jsonb_each_text(object)
    where key = any(${Object.keys(columns)}::text[]) and btrim(value) <> ''`.execute(db)
  return rows.flatMap(({ key, value }) => (columns[key] ? [{ kind: columns[key], text: value }] : []))
}

const lower = (texts: readonly FoundText[], kind: FoundText['kind']): string[] =>
  texts.flatMap((found) => (found.kind === kind ? [found.text.toLowerCase()] : []))

/** Addresses that someone else in the directory has by now belong to them. */
const excludeOthersAddresses = async (db: Queryable, { kind, records }: RecordKey, emails: readonly string[]): Promise<string[]> => {
  const column = Object.entries(PERSONAL_COLUMNS[kind]).find(([, of]) => of === 'email')?.[0]
  if (column === undefined) return []
  const { rows } = await sql<{ address: string }>`
    select address from unnest(${[...emails]}::text[]) as address where not exists (
      select from ${sql.table(kind)} as other
      where other._id <> all(${[...records]}::text[]) and lower(${sql.ref(`other.${column}`)}) = address)`.execute(db)
  return rows.map(({ address }) => address)
}

interface Account {
  readonly _id: string
  readonly texts: readonly TextRow[] | null
}

/** Accounts by address, by permission record, and by what was closed when they left, with the names that histories have for them. */
const listAccounts = async (db: Queryable, { records }: RecordKey, emails: readonly string[]): Promise<Account[]> => {
  const { rows } = await sql<Account>`
    with own as (
      select * from account where lower("azureID") = any(${[...emails]}::text[])
        or _id in (select account from permission where person = ${isAny(records)} and account is not null)
        or _id in (select unnest(accounts) from departure where person = ${isAny(records)}))
    select own._id, (select json_agg(distinct jsonb_build_object('key', found.key, 'value', found.value)) from (
      select 'name' as key, own.name as value
      union select 'email', own."azureID" union select 'number', own."objectId"
      union select 'name', regexp_replace("actorName", ' \\(token .*\\)$', '') from change where actor = own._id
      union select 'name', name from audit_event where account = own._id
      union select 'email', actor from audit_event where account = own._id
      union select 'name', name from permission where account = own._id
      union select 'email', "azureID" from permission where account = own._id) as found where btrim(found.value) <> '') as texts
    from own`.execute(db)
  return rows
}

const listEmployees = async (db: Queryable, emails: readonly string[], numbers: readonly string[]): Promise<Account[]> => {
  const { rows } = await sql<Account>`
    select "PersonID" as _id, json_build_array(json_build_object('key', 'name', 'value', concat_ws(' ', "FirstName", "LastName")),
      json_build_object('key', 'email', 'value', "EmailAddress"), json_build_object('key', 'email', 'value', "Hris_EmailAddress"),
      json_build_object('key', 'number', 'value', "PersonID")) as texts
    from (select "PersonID", "FirstName", "LastName", "EmailAddress", "Hris_EmailAddress" from hr_person union all
      select hr_person."PersonID", before."FirstName", before."LastName", before."EmailAddress", before."Hris_EmailAddress"
      from hr_person, jsonb_populate_record(null::hr_person, "lastImport" -> 'before') as before) as employee
    where lower("PersonID") = any(${[...numbers]}::text[])
      or lower("EmailAddress") = any(${[...emails]}::text[]) or lower("Hris_EmailAddress") = any(${[...emails]}::text[])`.execute(db)
  return rows
}

/** The users that a directory provisioned, with the names, addresses and numbers of RFC 7643. */
const listDirectoryUsers = async (db: Queryable, emails: readonly string[], accounts: readonly string[]): Promise<Account[]> => {
  const { rows } = await sql<Account>`
    select _id, (select json_agg(json_build_object('key', found.key, 'value', found.value)) from (
      select 'name' as key, resource ->> 'displayName' as value
      union select 'name', resource #>> '{name,formatted}'
      union select 'name', concat_ws(' ', resource #>> '{name,givenName}', resource #>> '{name,familyName}')
      union select case when "userName" like '%@%' then 'email' else 'number' end, "userName"
      union select 'number', "externalId"
      union select 'email', email ->> 'value' from jsonb_array_elements(coalesce(resource -> 'emails', '[]')) as email
      union select 'phone', phone ->> 'value' from jsonb_array_elements(coalesce(resource -> 'phoneNumbers', '[]')) as phone
    ) as found where btrim(found.value) <> '') as texts
    from directory_user where account = any(${[...accounts]}::uuid[]) or account is null and (lower("userName") = any(${[...emails]}::text[])
      or exists (${workEmails(sql`resource -> 'emails'`)} intersect select unnest(${[...emails]}::text[])))`.execute(db)
  return rows
}

const toFoundTexts = (rows: readonly Account[]): FoundText[] =>
  rows.flatMap(({ texts }) => (texts ?? []).flatMap(({ key, value }) => (value ? [{ kind: key as FoundText['kind'], text: value }] : [])))

/** Whether the name of another record contains a name: a person of the same name, a school named after someone. */
const isNameOfOther = async (db: Queryable, { kind, records }: RecordKey, pattern: string): Promise<boolean> => {
  const others = RECORD_KINDS.map(
    (other) =>
      sql`select from ${sql.table(other)} where ${sql.ref(NAME_COLUMNS[other])} ~* ${pattern} and (${other} <> ${kind} or _id <> all(${[...records]}::text[]))`,
  )
  const { rows } = await sql`${sql.join(others, sql` union all `)} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether another record has a phone number: that of a front desk stays where it is. */
const isPhoneOfOther = async (db: Queryable, { kind, records }: RecordKey, digits: string): Promise<boolean> => {
  const tables = (await listTextTables(db)).filter(({ columns }) => columns.has('version') && columns.has('updatedBy'))
  const isSame = (column: string): RawBuilder<boolean> =>
    sql<boolean>`regexp_replace(${sql.ref(column)}, '\\s*(x|ext\\.?|#)\\s*\\d+\\s*$|\\D', '', 'gi') in (${digits}, ${`1${digits}`})`
  const others = tables.flatMap(({ table, columns, texts }) => {
    const phones = texts.filter(({ column, form }) => form === 'text' && /phone|fax|number/i.test(column))
    if (phones.length === 0) return []
    const isOther = table === kind && columns.has('_id') ? sql<boolean>`_id <> all(${[...records]}::text[])` : sql<boolean>`true`
    return [
      sql`select from ${sql.table(table)} where ${isOther} and (${sql.join(
        phones.map(({ column }) => isSame(column)),
        sql` or `,
      )})`,
    ]
  })
  const { rows } = await sql`${sql.join(others, sql` union all `)} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a text says who this is wherever it is found. */
const isOwn = async (db: Queryable, key: RecordKey, found: FoundText): Promise<boolean> => {
  const pattern = toPattern(found)
  if (pattern === null) return false
  if (found.kind === 'name') return !(await isNameOfOther(db, key, pattern))
  return found.kind === 'phone' ? !(await isPhoneOfOther(db, key, toPhoneDigits(found.text))) : true
}

/** The record that stays of those that were merged, and the others. */
const listMerged = async (db: Queryable, kind: PersonalKind, record: string): Promise<string[]> => {
  if (!RECORD_KINDS.some((one) => one === kind)) return [record]
  const { rows } = await sql<{ _id: string }>`
    with recursive merged as (
      select _id, "mergedInto" from ${sql.table(kind)} where _id = ${record}
      union select other._id, other."mergedInto" from ${sql.table(kind)} as other
        join merged on other._id = merged."mergedInto" or other."mergedInto" = merged._id)
    select _id from merged order by "mergedInto" is not null, _id`.execute(db)
  return rows.map(({ _id }) => _id)
}

/** Finds who a record is about; undefined if it does not exist. */
export const findSubject = async (db: Queryable, kind: PersonalKind, given: string): Promise<Subject | undefined> => {
  const records = await listMerged(db, kind, given)
  const [record = given] = records
  const key = { kind, records }
  const nameColumn = Object.entries(PERSONAL_COLUMNS[kind]).find(([, of]) => of === 'name')?.[0] ?? '_id'
  const { rows: found } = await sql<{ name: string | null; version: number }>`
    select ${sql.ref(nameColumn)} as name, version from ${sql.table(kind)} where _id = ${record}`.execute(db)
  const [row] = found
  if (!row) return undefined
  const known = await listRecordTexts(db, key)
  const emails = await excludeOthersAddresses(db, key, lower(known, 'email'))
  const accounts = await listAccounts(db, key, emails)
  const all = [...new Set([...emails, ...lower(toFoundTexts(accounts), 'email')])]
  const ids = accounts.map(({ _id }) => _id)
  const employees = await listEmployees(db, all, lower(known, 'number'))
  const users = await listDirectoryUsers(db, all, ids)
  const mine = [...known, ...toFoundTexts([...accounts, ...employees, ...users])]
  const theirs = new Set(await excludeOthersAddresses(db, key, lower(mine, 'email')))
  const isTheirs = (one: FoundText): boolean => one.kind !== 'email' || theirs.has(one.text.toLowerCase())
  const texts = [...new Map(mine.filter(isTheirs).map((one) => [`${one.kind} ${one.text.toLowerCase()}`, one])).values()]
  const own: FoundText[] = []
  for (const one of texts) if (await isOwn(db, key, one)) own.push(one)
  return {
    kind,
    record,
    records,
    name: row.name ?? '',
    version: row.version,
    texts,
    own,
    accounts: ids,
    employees: employees.map(({ _id }) => _id),
    directoryUsers: users.map(({ _id }) => _id),
  }
}
