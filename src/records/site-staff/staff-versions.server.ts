import { sql } from 'kysely'

import type { Queryable } from '../../database/connection.server.ts'
import { toIsoTimestamp } from '../../database/json.server.ts'
import type { StoredRow } from '../../database/update-record.server.ts'
import type { Author } from '../../platform/server/sheet-definition.ts'

interface StaffChange extends Author {
  readonly site: string
  readonly action: 'insert' | 'delete'
  readonly person: string
  readonly role: string
}

/** The version of a site's staff: the number of the last change of its roles; 0 if there is none. */
export const readStaffVersions = async (db: Queryable, sites: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ site: string; version: number }>`
    select site, coalesce((select max(_id) from change where parent = site and "table" = 'site_person'), 0)::float8 as version
    from unnest(${[...sites]}::text[]) as site`.execute(db)
  return new Map(rows.map(({ site, version }) => [site, version]))
}

/** Who got or lost a role at the sites after the given versions, newest first. */
const listStaffChanges = async (db: Queryable, wanted: ReadonlyMap<string, number>): Promise<readonly StaffChange[]> => {
  if (wanted.size === 0) return []
  const { rows } = await sql<StaffChange>`
    select wanted.site, action, coalesce(after, before) ->> 'person' as person, coalesce(after, before) ->> 'role' as role,
      "actorName" as by, ${toIsoTimestamp(sql<Date>`at`)} as at
    from unnest(${[...wanted.keys()]}::text[], ${[...wanted.values()]}::float8[]) as wanted (site, version)
      join change on parent = wanted.site and "table" = 'site_person' and action in ('insert', 'delete') and _id > wanted.version
    order by _id desc`.execute(db)
  return rows
}

/** The people of each role at the sites in earlier versions: the current ones, with later changes reverted. */
export const readEarlierStaff = async (
  db: Queryable,
  wanted: ReadonlyMap<string, number>,
  readPresent: (sites: readonly string[]) => Promise<ReadonlyMap<string, object>>,
): Promise<ReadonlyMap<string, StoredRow>> => {
  if (wanted.size === 0) return new Map()
  const changes = Map.groupBy(await listStaffChanges(db, wanted), ({ site }) => site)
  const present = (await readPresent([...wanted.keys()])) as ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>
  return new Map(
    [...present].map(([site, roles]) => {
      const earlier: Record<string, readonly string[]> = { ...roles }
      for (const { action, person, role } of changes.get(site) ?? []) {
        const others = (earlier[role] ?? []).filter((one) => one !== person)
        earlier[role] = action === 'insert' ? others : [...others, person].toSorted()
      }
      return [site, earlier]
    }),
  )
}

/** Who last changed a role at a site after the given version. */
export const findStaffAuthors = async (
  db: Queryable,
  wanted: ReadonlyMap<string, number>,
): Promise<(site: string, path: string) => Author | undefined> => {
  const changes = Map.groupBy(await listStaffChanges(db, wanted), ({ site }) => site)
  return (site, path) => changes.get(site)?.find(({ role }) => path === `roles.${role}`)
}
