import { z } from 'zod'

import type { Call } from '../../../src/contract/call.ts'
import { listBrands } from '../../../src/features/records/brands/contract.ts'
import { listCharters } from '../../../src/features/records/charters/contract.ts'
import { listProgramTypes } from '../../../src/features/records/enrollment/contract.ts'
import { listRoles } from '../../../src/features/records/people/contract.ts'
import { listRegions } from '../../../src/features/records/regions/contract.ts'
import { listSiteSummaries } from '../../../src/features/records/sites/contract.ts'

/** What the writers know about the network from responses. They share it, so that their saves conflict. */
export interface KnownRecords {
  readonly sites: string[]
  readonly charters: string[]
  readonly brands: readonly string[]
  readonly regions: readonly string[]
  readonly roles: readonly string[]
  readonly programs: readonly string[]
  /** People created by the writers. */
  readonly people: string[]
  /** Those of them who left, or are leaving. */
  readonly left: Set<string>
  readonly places: { readonly _id: string; readonly site: string; readonly person: string; readonly role: string }[]
  readonly members: { readonly _id: string; readonly charter: string }[]
  readonly sisSites: { readonly _id: string }[]
  readonly requests: { readonly _id: string }[]
  readonly pictures: string[]
  readonly versions: Map<string, number>
}

const Ids = z.array(z.object({ _id: z.string() }))

/** Reads the records that can be changed. */
export const readKnownRecords = async (url: string, headers: Readonly<Record<string, string>>): Promise<KnownRecords> => {
  const idsOf = async (call: Call): Promise<string[]> => {
    const answer = await fetch(`${url}${call.path}`, { headers })
    return Ids.parse(await answer.json()).map(({ _id }) => _id)
  }
  return {
    sites: await idsOf(listSiteSummaries),
    charters: await idsOf(listCharters),
    brands: await idsOf(listBrands),
    regions: await idsOf(listRegions),
    roles: await idsOf(listRoles),
    programs: await idsOf(listProgramTypes),
    people: [],
    left: new Set(),
    places: [],
    members: [],
    sisSites: [],
    requests: [],
    pictures: [],
    versions: new Map(),
  }
}

export const pickRandom = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

/** Removes and returns a random item, so that no one else changes it concurrently. */
export const takeRandom = <T>(list: T[]): T | undefined => list.splice(Math.floor(Math.random() * list.length), 1)[0]
