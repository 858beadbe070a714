import pg from 'pg'

import { MAX_BEHIND_MS } from '../../contract/read-after-write.ts'
import type { AppContext } from './app-context.ts'
import { ChangePoll } from './change-poll.ts'
import type { DatabaseHosts } from './database-hosts.ts'
import { createQueryTerminator, startHeartbeat } from './database-watch.ts'
import type { DatabaseAddress } from './database.ts'
import { getErrorCode } from './error-code.ts'

/** How often a database on several hosts is checked: a machine that loses power closes no connection. */
const CHECK_MS = 4_000
/** The pause between two attempts. */
const PAUSE_MS = 1_000
/** How often updates without a notification are polled; the rest of the time is for a poll that takes long. */
const POLL_MS = MAX_BEHIND_MS / 4

export interface ChangeFeed {
  /** Waits until everything committed so far has been processed here. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Follows the changes made by every process on this database, so that changes made elsewhere invalidate the lists cached here. The connection
 * that listens also detects a database that no longer responds, and then ends the requests that wait for it.
 */
export const followChanges = async (
  { lists, log, pool }: Pick<AppContext, 'lists' | 'log' | 'pool'>,
  connection: DatabaseAddress,
): Promise<ChangeFeed> => {
  const { hosts } = connection
  const Client = hosts?.Client ?? pg.Client
  let stopped = false
  let current: pg.Client | undefined
  let poll: ChangePoll | undefined
  let timer: NodeJS.Timeout | undefined
  let stopBeating: (() => void) | undefined
  const endWaiting = createQueryTerminator(pool)

  const readUpdates = async (): Promise<void> => lists.handleUpdates((await poll?.read()) ?? [])
  const keepPolling = (own: ChangePoll): void => {
    setTimeout(() => {
      if (poll !== own) return
      readUpdates()
        .catch(() => {}) // the next poll reads the same updates
        .finally(() => keepPolling(own))
    }, POLL_MS).unref()
  }

  const listen = async (): Promise<void> => {
    const client = new Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10_000 })
    client.on('notification', ({ payload }) => lists.handleNotification(payload ?? ''))
    client.on('error', () => {}) // `end` follows
    client.once('end', () => {
      if (current !== client) return
      stopBeating?.()
      scheduleReconnect()
    })
    try {
      await client.connect()
      if (hosts) watch(client, hosts)
      await client.query({ text: 'listen homeroom_record', query_timeout: 10_000 } as pg.QueryConfig)
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    const own = new ChangePoll(pool)
    await own.read()
    current = client
    poll = own
    keepPolling(own)
    if (!hosts) stopBeating = startHeartbeat(client, endWaiting)
    lists.invalidateAll(true) // changes made while nothing was listening are unknown
  }
  const scheduleReconnect = (): void => {
    current = undefined
    poll = undefined
    lists.invalidateAll(false)
    if (stopped) return
    timer = setTimeout(() => {
      listen().catch((error: unknown) => {
        log.warn({ err: error }, 'Changes of other processes cannot be followed right now')
        // An error without a code of the database or the system means no valid response.
        if (getErrorCode(error) === '') endWaiting()
        scheduleReconnect()
      })
    }, PAUSE_MS)
  }

  lists.setReadCommitted(async () => {
    // PostgreSQL sends notifications before the query result.
    await current?.query('select 1').catch(() => {}) // a lost connection is reopened, and everything is read again
    await readUpdates().catch(() => {})
    await lists.handleNotified()
  })
  await listen()
  return {
    catchUp: () => lists.catchUp(),
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      const client = current
      current = undefined
      poll = undefined
      stopBeating?.()
      await client?.end()
    },
  }
}

const watch = (client: pg.Client, hosts: DatabaseHosts): void => {
  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    checking ??= hosts.check(client).finally(() => {
      checking = undefined
    })
  }, CHECK_MS)
  client.once('end', () => clearInterval(timer))
}
