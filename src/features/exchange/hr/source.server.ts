import { setTimeout as pause } from 'node:timers/promises'

import { Problem } from '../../../platform/contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { findPasswords, redactSecrets } from '../../../platform/server/credentials.ts'
import type { StaffSearchResult } from './contract.ts'
import { parseEmployees, type HrSource, MalformedResponse, type EmployeeSearch } from './employees.ts'
import { createMssqlSource } from './mssql-source.server.ts'
import { searchOwnTable } from './own-table.server.ts'
import { createPostgresSource } from './postgres-source.server.ts'

/** No search of a source outside takes longer; one that does counts as failed. */
const TIMEOUT_MS = 3000
/** Searches under way and waiting; whoever comes when a source hangs is told at once. */
const MAX_CONCURRENT_SEARCHES = 16

const RETRY_AFTER_SECONDS = 5

/** What went wrong, for the log: never the address of the source, which holds a password. */
const formatReason = (error: unknown, url: string): string => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redactSecrets(said, [url, ...findPasswords(url)]).slice(0, 300) + code
}

const sourceUnavailable = (reason: string): Problem =>
  new Problem(503, 'The HR directory is not available', {
    detail: 'The rest of Homeroom works. Try again in a moment.',
    retryAfter: RETRY_AFTER_SECONDS,
    cause: new Error(reason),
  })

/** The HR source of a house, with what keeps its troubles to itself: whatever goes wrong there is one kind of problem (503). */
export class GuardedSource {
  readonly #source: HrSource
  readonly #url: string
  #underWay = 0

  constructor(source: HrSource, url: string) {
    this.#source = source
    this.#url = url
  }

  async find(sought: EmployeeSearch, mostMs = TIMEOUT_MS): Promise<StaffSearchResult[]> {
    if (this.#underWay >= MAX_CONCURRENT_SEARCHES) throw sourceUnavailable(`${MAX_CONCURRENT_SEARCHES} searches are already running`)
    this.#underWay++
    const search = this.#source.find(sought)
    // Counted until the source has let go of it, however early whoever asked was told.
    search.then(this.#over, this.#over)
    const timer = new AbortController()
    try {
      const late = pause(mostMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no answer within ${mostMs} ms`)
      })
      return parseEmployees(await Promise.race([search, late])).slice(0, sought.limit)
    } catch (error) {
      throw sourceUnavailable(error instanceof MalformedResponse ? error.message : formatReason(error, this.#url))
    } finally {
      timer.abort()
    }
  }

  close(): Promise<void> {
    return this.#source.close()
  }

  readonly #over = (): void => {
    this.#underWay--
  }
}

const sources = new WeakMap<AppContext, GuardedSource>()

/** The source outside that HR_URL names, connected when it is first asked; undefined where our own table is the source. */
const getExternalSource = (context: AppContext): GuardedSource | undefined => {
  const { hrUrl, hrView } = context.configuration
  if (hrUrl === undefined) return undefined
  const known = sources.get(context)
  if (known) return known
  const make = hrUrl.startsWith('mssql:') ? createMssqlSource : createPostgresSource
  const made = new GuardedSource(make(hrUrl, hrView, TIMEOUT_MS), hrUrl)
  sources.set(context, made)
  return made
}

/** Employees of whatever the HR source is; a source outside that fails, or takes longer than `mostMs`, is a 503. */
export const searchEmployees = async (context: AppContext, sought: EmployeeSearch, mostMs?: number): Promise<StaffSearchResult[]> => {
  if (sought.words.length === 0) return []
  const outside = getExternalSource(context)
  return outside ? outside.find(sought, mostMs) : parseEmployees(await searchOwnTable(context.db, sought))
}

/** Ends the connections to a source outside, as the server stops. */
export const closeHrSource = async (context: AppContext): Promise<void> => {
  await sources.get(context)?.close()
  sources.delete(context)
}
