import { setTimeout as pause } from 'node:timers/promises'

import { Problem } from '../../contract/problem.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { findPasswords, redactSecrets } from '../../platform/server/credentials.ts'
import { getErrorCode } from '../../platform/server/error-code.ts'
import type { StaffSearchResult } from './contract.ts'
import { parseEmployees, type HrSource, MalformedResponse, type EmployeeSearch } from './employees.ts'
import { createMssqlSource } from './mssql-source.server.ts'
import { searchOwnTable } from './own-table.server.ts'
import { createPostgresSource } from './postgres-source.server.ts'

const TIMEOUT_MS = 3000
/** Further searches are refused immediately, so that requests do not pile up while a source hangs. */
const MAX_CONCURRENT_SEARCHES = 16

const RETRY_AFTER_SECONDS = 5

/** The reason for the log, without the URL of the source, which contains a password. */
const formatReason = (error: unknown, url: string): string => {
  const code = getErrorCode(error)
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redactSecrets(message, [url, ...findPasswords(url)]).slice(0, 300) + (code === '' ? '' : ` (${code})`)
}

const sourceUnavailable = (reason: string): Problem =>
  new Problem(503, 'The HR directory is not available', {
    detail: 'The rest of Homeroom works. Try again in a moment.',
    retryAfter: RETRY_AFTER_SECONDS,
    cause: new Error(reason),
  })

/** An external HR source with a timeout and a limit of concurrent searches. Every failure is a 503. */
export class GuardedSource {
  readonly #source: HrSource
  readonly #url: string
  #running = 0

  constructor(source: HrSource, url: string) {
    this.#source = source
    this.#url = url
  }

  async find(search: EmployeeSearch, timeoutMs = TIMEOUT_MS): Promise<StaffSearchResult[]> {
    if (this.#running >= MAX_CONCURRENT_SEARCHES) throw sourceUnavailable(`${MAX_CONCURRENT_SEARCHES} searches are already running`)
    this.#running++
    const running = this.#source.find(search)
    // Counted until the source has finished, even after the timeout.
    running.then(this.#finish, this.#finish)
    const timer = new AbortController()
    try {
      const timeout = pause(timeoutMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`no answer within ${timeoutMs} ms`)
      })
      return parseEmployees(await Promise.race([running, timeout])).slice(0, search.limit)
    } catch (error) {
      throw sourceUnavailable(error instanceof MalformedResponse ? error.message : formatReason(error, this.#url))
    } finally {
      timer.abort()
    }
  }

  close(): Promise<void> {
    return this.#source.close()
  }

  readonly #finish = (): void => {
    this.#running--
  }
}

const sources = new WeakMap<AppContext, GuardedSource>()

/** The source of HR_URL, created on first use; undefined if our own table is the source. */
const getExternalSource = (context: AppContext): GuardedSource | undefined => {
  const { hrUrl, hrView } = context.configuration
  if (hrUrl === undefined) return undefined
  const existing = sources.get(context)
  if (existing) return existing
  const createSource = hrUrl.startsWith('mssql:') ? createMssqlSource : createPostgresSource
  const source = new GuardedSource(createSource(hrUrl, hrView, TIMEOUT_MS), hrUrl)
  sources.set(context, source)
  return source
}

/** Searches the configured HR source. Throws 503 if an external source fails or takes longer than the timeout. */
export const searchEmployees = async (context: AppContext, search: EmployeeSearch, timeoutMs?: number): Promise<StaffSearchResult[]> => {
  if (search.words.length === 0) return []
  const external = getExternalSource(context)
  return external ? external.find(search, timeoutMs) : parseEmployees(await searchOwnTable(context.db, search))
}

/** Closes the connections to an external source when the server stops. */
export const closeHrSource = async (context: AppContext): Promise<void> => {
  await sources.get(context)?.close()
  sources.delete(context)
}
