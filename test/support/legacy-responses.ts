import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { FastifyInstance } from 'fastify'

import type { AppContext } from '../../src/platform/server/app-context.ts'
import { importLegacy, type LegacyImportOptions, type LegacyOutcome } from '../../src/records/directory-import/legacy/import.server.ts'
import { injectInto } from './http-requests.ts'
import { signInAt } from './sessions.ts'

/** Responses of the Locations API, by file name. */
export const LISTS = ['brand', 'charters_pop', 'sites_pop', 'people', 'regions_pop', 'roles', 'programtypes'] as const
type Named = Readonly<Record<string, unknown>>
export type LegacyResponses = Map<string, unknown>

/** A server in this process. */
interface Server {
  readonly app: FastifyInstance
  readonly context: AppContext
}

/** All responses that the legacy import reads, requested by someone at level 1. */
export const readLegacyResponses = async ({ app, context }: Server): Promise<LegacyResponses> => {
  const { headers } = await signInAt(context, 1)
  context.lists.invalidateAll(true)
  const send = injectInto(app, new URL(context.configuration.publicUrl).host)
  const answers: LegacyResponses = new Map()
  const readJson = async (path: string): Promise<unknown> => {
    const { status, body } = await send('GET', path, { headers })
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body}`)
    return JSON.parse(body) as unknown
  }
  for (const name of LISTS) answers.set(`${name}.json`, await readJson(`/locations-api/${name}`))
  for (const { slug } of answers.get('charters_pop.json') as { slug: string }[]) {
    const affair = await readJson(`/locations-api/charter_affair/${encodeURIComponent(slug)}`)
    answers.set(`charter_affair/${slug.replaceAll('/', '_')}.json`, affair)
  }
  // The caller's own permission record is not part of the network.
  const permissions = (await readJson(`/api/permissions/app_permissions/${context.configuration.appId}`)) as {
    personID: { azureID: string }
  }[]
  const granted = permissions.filter(({ personID }) => !personID.azureID.endsWith('@factory.test'))
  answers.set('app_permissions.json', granted)
  return answers
}

/** Writes a folder that the import reads: responses, and the pictures of the network that they are from if it is given. */
export const writeLegacyFolder = async (folder: string, answers: ReadonlyMap<string, unknown>, from?: Server): Promise<void> => {
  if (from) await mkdir(join(folder, 'pictures'), { recursive: true })
  for (const { _id, bytes } of (await from?.context.db.selectFrom('picture').selectAll().execute()) ?? [])
    await writeFile(join(folder, 'pictures', _id), bytes)
  for (const [name, answer] of answers) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
}

export const importLegacyFolder = ({ context }: Server, path: string, options: Partial<LegacyImportOptions> = {}): Promise<LegacyOutcome> =>
  importLegacy(
    context.db,
    { path, dryRun: false, beside: false, appId: 'homeroom', timeZone: 'America/Los_Angeles', ...options },
    { onPlanned: () => {}, onWritten: () => {}, onWaiting: () => {}, throwIfStopped: () => {} },
  )

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
