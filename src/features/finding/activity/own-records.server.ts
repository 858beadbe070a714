import { sql } from 'kysely'

import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'

/** Roles whose holders are responsible for all sites of a region. */
const REGIONAL_ROLES = new Set(['Regional Vice President', 'Regional SRM', 'Regional Utility'])

/** What someone is responsible for, or follows as a favorite. */
export interface OwnRecords {
  /** The caller in the directory; null for someone who is not in it. */
  readonly person: string | null
  /** Sites where they have a role. */
  readonly roleSites: ReadonlySet<string>
  /** Regions where they have a regional role, and favorite ones. */
  readonly regions: ReadonlySet<string>
  /** Sites with a role, sites of these regions, and favorite sites. */
  readonly sites: ReadonlySet<string>
  /** Favorite records of other kinds. */
  readonly others: ReadonlySet<string>
}

interface StoredOwn {
  readonly person: string | null
  readonly favorites: readonly { readonly kind: string; readonly record: string }[]
}

export const findOwnRecords = async ({ db, readModel }: Pick<AppContext, 'db' | 'readModel'>, user: SignedIn): Promise<OwnRecords> => {
  const { rows } = await sql<StoredOwn>`
    select (select _id from person where lower(email) = lower(${user.azureID}) and "leftAt" is null and "archivedAt" is null) as person,
      (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'record', record)), '[]') from favorite where account = ${user.account}) as favorites`.execute(
    db,
  )
  await readModel.ready()
  return collectOwnRecords(readModel, rows[0] ?? { person: null, favorites: [] })
}

const collectOwnRecords = (model: ReadModel, { person, favorites }: StoredOwn): OwnRecords => {
  const [roleSites, regions, sites, others] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { site, role } of person === null ? [] : model.table('site_person').where('person', person)) {
    roleSites.add(site)
    sites.add(site)
    const region = model.table('site').get(site)?.region
    if (region && REGIONAL_ROLES.has(model.table('role').need(role).name)) regions.add(region)
  }
  for (const { kind, record } of favorites) {
    if (kind === 'site') sites.add(record)
    else others.add(record)
    if (kind === 'region') regions.add(record)
  }
  for (const region of regions) for (const { _id } of model.table('site').where('region', region)) sites.add(_id)
  return { person, roleSites, regions, sites, others }
}
