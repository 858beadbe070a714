import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Responses of the Locations API, by file name. */
const LISTS = ['brand', 'charters_pop', 'sites_pop', 'people', 'regions_pop', 'roles', 'programtypes'] as const
type Named = Readonly<Record<string, unknown>>
export type LegacyResponses = Map<string, unknown>

/** Requests one path as someone at level 1; returns the response text. */
export type ReadPath = (path: string) => Promise<string>

/** All responses that the legacy import reads, requested with `readPath`. */
export const readLegacyResponses = async (readPath: ReadPath, appId = 'homeroom'): Promise<LegacyResponses> => {
  const answers: LegacyResponses = new Map()
  const readJson = async (path: string): Promise<unknown> => JSON.parse(await readPath(path)) as unknown
  for (const name of LISTS) answers.set(`${name}.json`, await readJson(`/locations-api/${name}`))
  for (const { slug } of answers.get('charters_pop.json') as { slug: string }[]) {
    const affair = await readJson(`/locations-api/charter_affair/${encodeURIComponent(slug)}`)
    answers.set(`charter_affair/${slug.replaceAll('/', '_')}.json`, affair)
  }
  // The caller's own permission record is not part of the network.
  const permissions = (await readJson(`/api/permissions/app_permissions/${appId}`)) as { personID: { azureID: string } }[]
  const granted = permissions.filter(({ personID }) => !personID.azureID.endsWith('@factory.test'))
  answers.set('app_permissions.json', granted)
  return answers
}

export const writeLegacyResponses = async (folder: string, answers: ReadonlyMap<string, unknown>): Promise<void> => {
  for (const [name, answer] of answers) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
}

/** The differences between two sets of responses, ignoring change counters. */
export const listResponseDifferences = (
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  apart: readonly string[],
): string[] => {
  const found: string[] = []
  const walk = (a: unknown, b: unknown, at: string): void => {
    if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        if (!apart.includes(key)) walk((a as Named)[key], (b as Named)[key], `${at}.${key}`)
    } else if (a !== b) found.push(`${at}: ${JSON.stringify(a)} -> ${JSON.stringify(b)}`)
  }
  for (const name of new Set([...before.keys(), ...after.keys()])) walk(before.get(name), after.get(name), name)
  return found
}
