import pg from 'pg'

import type { House } from './house.ts'

/** Follows the changes of every process on this database, so that no list kept ready here outlives a change made elsewhere. */
export const followChanges = async (
  { lists, log }: Pick<House, 'lists' | 'log'>,
  connection: pg.PoolConfig,
): Promise<() => Promise<void>> => {
  let stopped = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const listen = async (): Promise<void> => {
    const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10_000 })
    client.on('notification', ({ payload }) => lists.heard(payload ?? ''))
    client.on('error', () => {}) // `end` follows
    client.once('end', () => {
      if (current === client) again(1000)
    })
    await client.connect()
    await client.query('listen homeroom_record')
    current = client
    lists.following = true
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
        again(Math.min(wait * 2, 30_000))
      })
    }, wait)
  }

  await listen()
  return async () => {
    stopped = true
    clearTimeout(timer)
    const client = current
    current = undefined
    await client?.end()
  }
}
