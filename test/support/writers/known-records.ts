import { z } from 'zod'

import type { Call } from '../../../src/contract/call.ts'
import { listBrands } from '../../../src/records/brands/contract.ts'
import { listCharters } from '../../../src/records/charters/contract.ts'
import { listProgramTypes } from '../../../src/records/enrollment/contract.ts'
import { listRoles } from '../../../src/records/people/contract.ts'
import { listRegions } from '../../../src/records/regions/contract.ts'
import { listSiteSummaries } from '../../../src/records/sites/contract.ts'
import { fetchJson } from '../api-client.ts'

/** What the writers know about the network from responses. They share it, so that their saves conflict. */
export type KnownRecords = Awaited<ReturnType<typeof readKnownRecords>>

const Ids = z.array(z.object({ _id: z.string() }))

/** Reads the records that can be changed. */
export const readKnownRecords = async (url: string, headers: Readonly<Record<string, string>>) => {
  const idsOf = async ({ method, path }: Call): Promise<string[]> =>
    Ids.parse(await fetchJson(`${url}${path}`, { method, headers })).map(({ _id }) => _id)
  return {
    sites: await idsOf(listSiteSummaries),
    charters: await idsOf(listCharters),
    brands: await idsOf(listBrands),
    regions: await idsOf(listRegions),
    roles: await idsOf(listRoles),
    programs: await idsOf(listProgramTypes),
    /** People created by the writers. */
    people: [] as string[],
    /** Those of them who left, or are leaving. */
    left: new Set<string>(),
    places: [] as { readonly _id: string; readonly site: string; readonly person: string; readonly role: string }[],
    members: [] as { readonly _id: string; readonly charter: string }[],
    sisSites: [] as string[],
    requests: [] as string[],
    pictures: [] as string[],
    /** The last known version of a record, by table and id. */
    versions: new Map<string, number>(),
  }
}

export const pickRandom = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

/** Removes and returns a random item, so that no one else changes it concurrently; none if there are fewer than `min`. */
export const takeRandom = <T>(list: T[], min = 1): T | undefined =>
  list.length < min ? undefined : list.splice(Math.floor(Math.random() * list.length), 1)[0]
