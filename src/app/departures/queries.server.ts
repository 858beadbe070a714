import { sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { toIsoTimestamp } from '../../database/json.server.ts'
import { getTenant } from '../../features/access/session/queries.server.ts'
import { countDeadlinesOf, type ReassignedWork } from '../../features/deadlines/deadlines/queries.server.ts'
import type { Configuration } from '../../platform/server/configuration.ts'
import { getSettings } from '../../records/settings/queries.server.ts'
import { type HeldPosition, type DeparturePreview, type DisabledPerson, MAX_DISABLED_PEOPLE } from './contract.ts'

/** A stored departure. */
export interface Departure {
  readonly _id: string
  readonly at: string
  readonly by: string | null
  /** Their email address at that time. */
  readonly address: string | null
  readonly endedRoles: readonly { readonly _id: string; readonly site: string; readonly role: string }[]
  readonly newRoles: readonly string[]
  readonly accounts: readonly string[]
  readonly permissions: readonly { readonly _id: string; readonly name: string; readonly azureID: string; readonly accessLevel: number }[]
  readonly deadlines: ReassignedWork | null
}

/** The latest departure of a person who has left. */
export const findDeparture = (db: Queryable, person: string): Promise<Departure | undefined> =>
  db
    .selectFrom('departure')
    .innerJoin('person', 'person._id', 'departure.person')
    .select([
      'departure._id',
      'departure.by',
      'departure.address',
      'departure.endedRoles',
      'departure.newRoles',
      'departure.accounts',
      'departure.permissions',
      'departure.deadlines',
    ])
    .select((eb) => toIsoTimestamp(eb.ref('departure.at')).as('at'))
    .where('departure.person', '=', person)
    .where('person.leftAt', 'is not', null)
    .orderBy('departure.at', 'desc')
    .limit(1)
    .executeTakeFirst() as Promise<Departure | undefined>

/** The permission records of a person in this application, by person, email address, or the account of that address. */
export const listPermissionsOfPerson = async (db: Queryable, applicationID: string, person: string) => {
  const { rows } = await sql<{ _id: string; accessLevel: number; account: string | null }>`
    select held._id, held."accessLevel", held.account
    from permission as held join person on person._id = ${person} left join account on account._id = held.account
    where held."applicationID" = ${applicationID}
      and (held.person = person._id or lower(person.email) in (lower(held."azureID"), lower(account."azureID")))
    order by held."accessLevel" desc, held._id`.execute(db)
  return rows
}

const selectHeldPositions = (positions: ReturnType<typeof sql>) => sql<HeldPosition>`
  select held._id, json_build_object('_id', site._id, 'slug', site.slug, 'displayName', site."displayName") as site,
    json_build_object('_id', role._id, 'name', role.name) as role,
    not exists (select from site_person as other where other.site = held.site and other.role = held.role and other.person <> held.person) as "isOnly"
  from ${positions} as held join site on site._id = held.site join role on role._id = held.role
  order by role.name collate "C", site."displayName" collate "C", held._id`

/** The deadlines that a departure would reassign, or has reassigned. */
const countDeadlines = async (db: Queryable, departure: Departure | undefined, person: string): Promise<DeparturePreview['deadlines']> => {
  if (!departure) return { ...(await countDeadlinesOf(db, person)), to: null }
  if (!departure.deadlines) return { deadlines: 0, settings: 0, to: null }
  const { to, deadlines, settings } = departure.deadlines
  const successor = await db.selectFrom('person').select('name').where('_id', '=', to).executeTakeFirst()
  return { deadlines: deadlines.length, settings: settings.length, to: successor?.name ?? null }
}

/** What a departure would end, or has ended. */
export const getDeparturePreview = async (db: Queryable, configuration: Configuration, person: string): Promise<DeparturePreview> => {
  const departure = await findDeparture(db, person)
  const ended = sql`jsonb_populate_recordset(null::site_person, ${JSON.stringify(departure?.endedRoles ?? [])}::jsonb)`
  const positions = departure ? selectHeldPositions(ended) : selectHeldPositions(sql`(select * from site_person where person = ${person})`)
  const levels = departure ? departure.permissions : await listPermissionsOfPerson(db, configuration.appId, person)
  const { email } = await db.selectFrom('person').select('email').where('_id', '=', person).executeTakeFirstOrThrow()
  const isTheirs = (address: string): boolean => email !== null && address.toLowerCase() === email.toLowerCase()
  const { changeRequestsTo, supportRequestsTo } = await getSettings(db, configuration)
  const regions = new Map((await db.selectFrom('region').select(['_id', 'name']).execute()).map(({ _id, name }) => [_id, name]))
  return {
    left: departure ? { at: departure.at, by: departure.by } : null,
    places: (await positions.execute(db)).rows,
    accessLevel: levels.length === 0 ? null : Math.min(...levels.map(({ accessLevel }) => accessLevel)),
    changeRequestsOf: changeRequestsTo
      .filter(({ emails }) => emails.some(isTheirs))
      .map(({ region }) => (region === null ? null : (regions.get(region) ?? null))),
    getsSupportRequests: supportRequestsTo.some(isTheirs),
    deadlines: await countDeadlines(db, departure, person),
  }
}

/** People whose accounts the directory has disabled, by their email addresses in the directory, and who still have roles or permission records. */
export const findDisabledPeople = async (db: Queryable, configuration: Configuration): Promise<DisabledPerson[]> => {
  const tenant = getTenant(configuration)
  const { rows } = await sql<DisabledPerson>`
    with known as (
      select "disabledAt", lower("userName") as address from directory_user where tenant = ${tenant}
      union all select "disabledAt", lower(email ->> 'value') from directory_user, jsonb_array_elements(coalesce(resource -> 'emails', '[]')) as email
        where tenant = ${tenant} and "disabledAt" is not null
      union all select directory_user."disabledAt", lower(account."azureID") from directory_user join account on account._id = directory_user.account
        where directory_user.tenant = ${tenant} and directory_user."disabledAt" is not null
    ),
    disabled as (select address, max("disabledAt") as at from known group by address having bool_and("disabledAt" is not null))
    select person._id, person.slug, person.name, ${toIsoTimestamp(sql<Date>`disabled.at`)} as "disabledAt", held.roles, held."accessLevel"
    from disabled join person on lower(person.email) = disabled.address and person."leftAt" is null and person."archivedAt" is null
    cross join lateral (select
      (select count(*)::int from site_person where site_person.person = person._id) as roles,
      (select min(permission."accessLevel") from permission
        where permission."applicationID" = ${configuration.appId} and (permission.person = person._id or lower(permission."azureID") = disabled.address)) as "accessLevel") as held
    where held.roles > 0 or held."accessLevel" is not null
    order by disabled.at desc, person.name collate "C", person._id limit ${MAX_DISABLED_PEOPLE}`.execute(db)
  return rows
}
