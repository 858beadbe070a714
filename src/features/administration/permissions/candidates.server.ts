import { type RawBuilder, sql } from 'kysely'

import { isEmail } from '../../../platform/contract/emails.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { findEmployeesIfAvailable } from '../../exchange/hr/queries.server.ts'
import { searchRecords } from '../../finding/search/queries.server.ts'
import { type Candidate, MAX_CANDIDATES } from './contract.ts'

type CandidateRow = Omit<Candidate, 'accessLevel'>

/** An address is looked for as it is, never as one that resembles it. */
const looksLikeEmail = (typed: string): boolean => typed.includes('@')

/** Who the one search of every page finds in the directory: typos, nicknames and roles included. */
const findInDirectory = async ({ pool }: AppContext, typed: string): Promise<CandidateRow[]> =>
  looksLikeEmail(typed)
    ? []
    : (await searchRecords(pool, typed, { only: 'person', most: MAX_CANDIDATES, withAffairs: false })).map(
        ({ hit: { _id, name, email, detail } }) => ({
          azureID: email,
          name,
          detail,
          personDbID: _id,
        }),
      )

/** People whose address was typed, employees who are not in the directory yet, and who has signed in without being in either. */
const findByAddressOrElsewhere = async (context: AppContext, { account }: SignedIn, typed: string): Promise<CandidateRow[]> => {
  const employees = await findEmployeesIfAvailable(context, typed)
  // Whoever types no '@' does not ask for everybody of a domain.
  const searched = (address: string) => (looksLikeEmail(typed) ? sql.ref(address) : sql`split_part(${sql.ref(address)}, '@', 1)`)
  const hasAll = (name: RawBuilder<unknown>, address: string) => sql<boolean>`not exists (
    select from unnest(regexp_split_to_array(lower(unaccent(${typed})), '\\s+')) as word
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
      select email as "azureID", name, null as detail, _id as "personDbID", 1 as place
      from person where strpos(lower(${searched('email')}), lower(${typed})) > 0
      union all
      select "EmailAddress", coalesce(nullif(concat_ws(' ', "FirstName", "LastName"), ''), "PersonID"), nullif(concat_ws(' · ', "Title", "Department"), ''), null, 2
      from employee
      where not exists (select from person where sql_person_id = "PersonID")
        and not exists (select from person where lower(email) in (lower("EmailAddress"), lower("Hris_EmailAddress")))
      union all
      select "azureID", visitor.name, 'Has signed in, and is not in the directory', null, 3
      from visitor where not exists (select from person where lower(email) = lower("azureID"))
    ),
    best as (
      select * from found order by place, name collate "C", "azureID" collate "C" limit ${MAX_CANDIDATES}
    )
    select "azureID", name, "personDbID",
      case when place = 1 then record_hit('person', "personDbID", null, '{}') ->> 'detail' else detail end as detail
    from best order by place, name collate "C", "azureID" collate "C"`.execute(context.db)
  return rows
}

/** The level each of them holds in this application, by whichever record of theirs gives most; null where none does. */
const listLevels = async ({ db, configuration }: AppContext, found: readonly CandidateRow[]): Promise<(number | null)[]> => {
  const { rows } = await sql<{ level: number | null }>`
    select least(
      (select min(held."accessLevel") from permission as held left join account on account._id = held.account
       where held."applicationID" = ${configuration.appId}
         and (lower(wanted.address) in (lower(held."azureID"), lower(account."azureID")) or held.person = wanted.person)),
      case when lower(wanted.address) = any(${[...configuration.superAdmins]}::text[]) then 1 end) as level
    from unnest(${found.map(({ azureID }) => azureID)}::text[], ${found.map(({ personDbID }) => personDbID)}::text[])
      with ordinality as wanted(address, person, place)
    order by wanted.place`.execute(db)
  return rows.map(({ level }) => level)
}

const normalizeAddress = ({ azureID }: CandidateRow): string | undefined => azureID?.toLowerCase()

/** A whole address that is nobody’s: whoever signs in with it gets what it was granted (D10). */
const toUnknownAddress = (typed: string, found: readonly CandidateRow[]): CandidateRow[] =>
  isEmail(typed) && !found.some((one) => normalizeAddress(one) === typed.toLowerCase())
    ? [{ azureID: typed, name: typed, detail: 'Not on file. Access starts the first time this email is used to sign in', personDbID: null }]
    : []

/** Who may be made an administrator, the best guess first, each address and each person once. */
export const searchCandidates = async (context: AppContext, user: SignedIn, typed: string): Promise<Candidate[]> => {
  const all = [...(await findInDirectory(context, typed)), ...(await findByAddressOrElsewhere(context, user, typed))]
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
  const found = [...once.slice(0, MAX_CANDIDATES), ...toUnknownAddress(typed, once)]
  const levels = await listLevels(context, found)
  return found.map((one, at) => ({ ...one, accessLevel: levels[at] ?? null }))
}
