import pg from 'pg'

import { enderOf, listenToHeart } from './database-watch.ts'
import type { House } from './house.ts'

/**
 * Follows the changes of every process on this database, so that no list kept ready here outlives a change made elsewhere. The connection that
 * listens is also how a database is noticed that has fallen silent: nobody waits for that any longer.
 */
export const followChanges = async (
  { lists, log, pool }: Pick<House, 'lists' | 'log' | 'pool'>,
  connection: pg.PoolConfig,
): Promise<() => Promise<void>> => {
  let stopped = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopBeating: (() => void) | undefined
  const endWaiting = enderOf(pool)

  const listen = async (): Promise<void> => {
    const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10_000 })
    client.on('notification', ({ payload }) => lists.drop([payload ?? '']))
    client.on('error', () => {}) // `end` follows
    client.once('end', () => {
      if (current !== client) return
      stopBeating?.()
      again(1000)
    })
    try {
      await client.connect()
      await client.query({ text: 'listen homeroom_change', query_timeout: 10_000 } as pg.QueryConfig)
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    current = client
    lists.following = true
    stopBeating = listenToHeart(client, endWaiting)
    lists.dropAll() // what changed while nobody listened is not known
  }
  const again = (wait: number): void => {
    current = undefined
    lists.following = false
    lists.dropAll()
    if (stopped) return
    timer = setTimeout(() => {
      listen().catch((error: unknown) => {
        log.warn({ err: error }, 'Changes of other processes cannot be followed right now')
        // Without a code of the database's or the system's it is silence, or answers that are none.
        if (!(error instanceof Error && 'code' in error && error.code !== undefined)) endWaiting()
        again(Math.min(wait * 2, 5_000))
      })
    }, wait)
  }

  await listen()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const client = current
    current = undefined
    stopBeating?.()
    await client?.end()
  }
}
