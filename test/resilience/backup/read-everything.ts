import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { calls } from '../../../src/app/routes.server.ts'
import { callName } from '../../../src/contract/call.ts'
import { can } from '../../../src/contract/capabilities.ts'
import { hasReadPaths, type KnownValues, listReadPaths } from '../../support/read-paths.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'

/** Calls that are steps of a sign-in: their responses are specific to it and contain no records. */
const SIGN_IN_PATHS = new Set(['/auth/azure', '/auth/azure/callback', '/auth/refresh', '/auth/logout'])
/** A restore adds an event of its own to the audit trail; a workbook to edit contains the time of its download. */
const SKIPPED_PATHS = new Set(['/api/audit', '/api/audit/entries', '/api/audit/workbook', '/api/sheets/:kind'])
/** Calls that record who made them, which changes another call's response: they come last. */
const recordsItself = (path: string): boolean => /^\/api\/(exports\/excel\/|activity\/workbook|search)/.test(path)

const GET_CALLS = calls.filter(({ method, path }) => method === 'GET' && !SIGN_IN_PATHS.has(path))
/** Calls that read but are neither read here nor listed as steps of a sign-in. */
export const UNREAD_CALLS = GET_CALLS.filter((call) => !hasReadPaths(call)).map(callName)
export const READ_CALLS = GET_CALLS.length
export const SKIPPED_CALLS = SIGN_IN_PATHS.size

/** A response in one line; responses that contain the time of the request are marked. */
interface RecordedResponse {
  readonly line: string
  readonly text: string
  readonly hasOwnMoments: boolean
  /** A search with more matches than it ranks, any of which may be shown. */
  readonly isOpen: boolean
}
export type RecordedResponses = ReadonlyMap<string, RecordedResponse>

/** A user who reads, and their level. */
export interface Reader {
  readonly level: number
  readonly headers: Readonly<Record<string, string>>
}

const MOMENT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z"/g
/** Longer bodies are only kept as a hash. */
const MAX_STORED = 200_000
const MAX_CONCURRENT = 4
const MAX_ATTEMPTS = 20

/**
 * Requests everything that a GET returns, as each reader: every list, every record by each of its names, every history to its end, every picture in
 * every width. Times after `since` are those of the requests themselves (when a session was last used), and are replaced by "(now)".
 */
export const readEverything = async (
  url: string,
  known: KnownValues,
  readers: readonly Reader[],
  since: number,
): Promise<RecordedResponses> => {
  const answers = new Map<string, RecordedResponse>()
  const read = async ({ level, headers }: Reader, path: string): Promise<void> => {
    const response = await fetchWithRetry(`${url}${path}`, headers)
    const bytes = Buffer.from(await response.arrayBuffer())
    const type = response.headers.get('content-type') ?? ''
    let hasOwnMoments = false
    const hideOwnMoment = (moment: string): string => {
      if (Date.parse(moment.slice(1, -1)) < since) return moment
      hasOwnMoments = true
      return '"(now)"'
    }
    const body = type.includes('json') ? Buffer.from(bytes.toString().replace(MOMENT, hideOwnMoment)) : bytes
    const isOpen = path.startsWith('/api/search') && body.includes('"more":true')
    const tag = hasOwnMoments || isOpen ? '' : (response.headers.get('etag') ?? '')
    const sum = isOpen ? '' : createHash('sha256').update(body).digest('hex')
    const text = body.length > MAX_STORED ? '' : body.toString(type.includes('json') ? 'utf8' : 'base64')
    answers.set(`level ${level}: ${path}`, { line: `${response.status} ${type} ${tag} ${sum}`, text, hasOwnMoments, isOpen })
    const next = response.status === 200 && path.startsWith('/api/history/') ? getNextPage(path, bytes) : undefined
    if (next !== undefined) await read({ level, headers }, next)
  }
  for (const isLast of [false, true])
    for (const reader of readers) {
      const paths = GET_CALLS.filter(
        ({ path, capability }) =>
          recordsItself(path) === isLast && !SKIPPED_PATHS.has(path) && (capability === 'no session' || can(reader.level, capability)),
      ).flatMap((call) => listReadPaths(call, known))
      await runConcurrently(paths, isLast ? 1 : MAX_CONCURRENT, (path) => read(reader, path))
    }
  return answers
}

/** The URL of a history's next page. */
const getNextPage = (path: string, bytes: Buffer): string | undefined => {
  const { changes, more } = JSON.parse(bytes.toString()) as { changes: { _id: string }[]; more: boolean }
  return more ? `${path.split('?')[0]}?before=${changes.at(-1)?._id}` : undefined
}

const fetchWithRetry = async (address: string, headers: Reader['headers']): Promise<Response> => {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(address, { headers, redirect: 'manual', signal: AbortSignal.timeout(60_000) })
    // A picture requested in a width but returned in full size replaces a copy that could not be made right now.
    const isStandIn = address.includes('?width=') && response.status === 200 && !/-\d+"$/.test(response.headers.get('etag') ?? '')
    if (response.status !== 429 && (!isStandIn || attempt > MAX_ATTEMPTS)) return response
    await response.arrayBuffer()
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

/** Descriptions of the responses that differ. */
export const listChangedResponses = (before: RecordedResponses, after: RecordedResponses): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (was?.line === is?.line) return []
    return [`${name}: ${was?.line} became ${is?.line}${formatFirstDifference(was?.text ?? '', is?.text ?? '')}`]
  })

const formatFirstDifference = (was: string, is: string): string => {
  const at = [...was].findIndex((letter, nth) => letter !== is[nth])
  return at < 0 ? '' : `, from …${was.slice(Math.max(0, at - 60), at + 60)}… to …${is.slice(Math.max(0, at - 60), at + 60)}…`
}
