import { type RawBuilder, sql } from 'kysely'

import { isEmail } from '../../../contract/emails.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import { searchRecords } from '../../finding/search/queries.server.ts'
import { type Candidate, MAX_CANDIDATES } from './contract.ts'

type CandidateRow = Omit<Candidate, 'accessLevel'>

/** Email addresses are matched exactly, other text also approximately. */
const looksLikeEmail = (text: string): boolean => text.includes('@')

/** People of the directory, found by the palette's search, which allows typos, nicknames and roles. */
const findInDirectory = async (context: AppContext, text: string): Promise<CandidateRow[]> => {
  if (looksLikeEmail(text)) return []
  const { groups } = await searchRecords(context, text, { only: 'person', maxPerKind: MAX_CANDIDATES, withAffairs: false })
  return groups.flatMap(({ hits }) =>
    hits.map(({ hit: { _id, name, email, detail } }) => ({ azureID: email, name, detail, personDbID: _id })),
  )
}

/** People by email address, employees who are not in the directory yet, and accounts of people who are in neither. */
const findByAddressOrElsewhere = async (context: AppContext, { account }: SignedIn, text: string): Promise<CandidateRow[]> => {
  const employees = await context.findEmployees(context, text)
  // Without an '@' only the part before it is searched, so that the name of a domain does not match everyone.
  const searched = (address: string) => (looksLikeEmail(text) ? sql.ref(address) : sql`split_part(${sql.ref(address)}, '@', 1)`)
  const hasAll = (name: RawBuilder<unknown>, address: string) => sql<boolean>`not exists (
    select from unnest(regexp_split_to_array(lower(unaccent(${text})), '\\s+')) as word
    where strpos(lower(unaccent(concat_ws(' ', ${name}, ${searched(address)}))), word) = 0)`
  const { rows } = await sql<CandidateRow>`
    with employee as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(employees)}) as of_source("PersonID" text, "FirstName" text, "LastName" text,
        "EmailAddress" text, "Hris_EmailAddress" text, "Title" text, "Department" text)
    ),
    visitor as materialized (
      select * from account where tenant = (select mine.tenant from account as mine where mine._id = ${account})
        and ${hasAll(sql`name`, 'azureID')}
    ),
    found as (
      select email as "azureID", name, null as detail, _id as "personDbID", 1 as rank
      from person where "archivedAt" is null and strpos(lower(${searched('email')}), lower(${text})) > 0
      union all
      select "EmailAddress", coalesce(nullif(concat_ws(' ', "FirstName", "LastName"), ''), "PersonID"), nullif(concat_ws(' · ', "Title", "Department"), ''), null, 2
      from employee
      where not exists (select from person where "archivedAt" is null and sql_person_id = "PersonID")
        and not exists (select from person where "archivedAt" is null and lower(email) in (lower("EmailAddress"), lower("Hris_EmailAddress")))
      union all
      select "azureID", visitor.name, 'Has signed in, and is not in the directory', null, 3
      from visitor where not exists (select from person where "archivedAt" is null and lower(email) = lower("azureID"))
    ),
    best as (
      select * from found order by rank, name collate "C", "azureID" collate "C" limit ${MAX_CANDIDATES}
    )
    select "azureID", name, "personDbID", detail from best order by rank, name collate "C", "azureID" collate "C"`.execute(context.db)
  return rows.map(({ detail, ...row }) => ({
    ...row,
    detail: row.personDbID === null ? detail : (getRecordHit(context.readModel, 'person', row.personDbID)?.detail ?? null),
  }))
}

/** The level with the most access that each candidate holds in this application; null if none. */
const listLevels = async ({ db, configuration }: AppContext, found: readonly CandidateRow[]): Promise<(number | null)[]> => {
  const { rows } = await sql<{ level: number | null }>`
    select least(
      (select min(held."accessLevel") from permission as held left join account on account._id = held.account
       where held."applicationID" = ${configuration.appId}
         and (lower(target.address) in (lower(held."azureID"), lower(account."azureID")) or held.person = target.person)),
      case when lower(target.address) = any(${[...configuration.superAdmins]}::text[]) then 1 end) as level
    from unnest(${found.map(({ azureID }) => azureID)}::text[], ${found.map(({ personDbID }) => personDbID)}::text[])
      with ordinality as target(address, person, ordinal)
    order by target.ordinal`.execute(db)
  return rows.map(({ level }) => level)
}

const normalizeAddress = ({ azureID }: CandidateRow): string | undefined => azureID?.toLowerCase()

/** A complete address that no one has: the first person to sign in with it gets what was granted to it. */
const toUnknownAddress = (text: string, found: readonly CandidateRow[]): CandidateRow[] =>
  isEmail(text) && !found.some((one) => normalizeAddress(one) === text.toLowerCase())
    ? [{ azureID: text, name: text, detail: 'Not on file. Access starts the first time this email is used to sign in', personDbID: null }]
    : []

/** The candidates, best match first, each address and each person once. */
export const searchCandidates = async (context: AppContext, user: SignedIn, text: string): Promise<Candidate[]> => {
  const all = [...(await findInDirectory(context, text)), ...(await findByAddressOrElsewhere(context, user, text))]
  const once = all.filter(
    (one, at) =>
      !all
        .slice(0, at)
        .some(
          (before) =>
            (one.personDbID !== null && before.personDbID === one.personDbID) ||
            (one.azureID !== null && normalizeAddress(before) === normalizeAddress(one)),
        ),
  )
  const found = [...once.slice(0, MAX_CANDIDATES), ...toUnknownAddress(text, once)]
  const levels = await listLevels(context, found)
  return found.map((one, at) => ({ ...one, accessLevel: levels[at] ?? null }))
}
