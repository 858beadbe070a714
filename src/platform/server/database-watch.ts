import type pg from 'pg'

/** How often the database is asked whether it is there, and for how many seconds of ours it may say nothing. */
const EVERY_MS = 5_000
const MOST_SECONDS = 10

/**
 * Ends whatever waits for an answer of this pool: queries under way fail with "Connection terminated", which is a 503, and their connections are
 * replaced. A database that says nothing (a cable pulled, a machine that hangs) breaks no connection by itself.
 */
export const createQueryTerminator = (pool: pg.Pool): (() => void) => {
  const waiting = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => waiting.add(client))
  pool.on('release', (_error, client) => waiting.delete(client))
  return () => {
    // A client that waits is cut off by `end`, and the pool takes none back that has ended.
    for (const client of waiting) void (client as unknown as pg.Client).end().catch(() => {})
  }
}

/**
 * Asks over this connection again and again. Where no answer comes in time, `silent` is told; that, and an answer that is none, ends the
 * connection. Answers what stops the asking.
 */
export const startHeartbeat = (client: pg.Client, silent: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let late: NodeJS.Timeout | undefined
  const end = (): void => void client.end().catch(() => {})
  const beat = (): void => {
    // Counted by seconds in which we could have heard an answer: a process that is kept from running for a while has not been listening.
    let seconds = 0
    late = setInterval(() => {
      if (++seconds < MOST_SECONDS) return
      clearInterval(late)
      silent()
      end()
    }, 1000)
    late.unref()
    client
      .query('select 1')
      .then(wait, end)
      .finally(() => clearInterval(late))
  }
  const wait = (): void => {
    timer = setTimeout(beat, EVERY_MS)
    timer.unref()
  }
  wait()
  return () => {
    clearTimeout(timer)
    clearInterval(late)
  }
}
