import type pg from 'pg'

/** How often the database is checked, and for how many seconds it may leave a check unanswered. */
const EVERY_MS = 5_000
const MAX_SILENT_SECONDS = 10

/**
 * Terminates everything that waits for this pool: running queries fail with "Connection terminated", which becomes a 503, and their connections are
 * replaced. A database that stops responding (a pulled cable, a hung machine) does not close its connections.
 */
export const createQueryTerminator = (pool: pg.Pool): (() => void) => {
  const waiting = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => waiting.add(client))
  pool.on('release', (_error, client) => waiting.delete(client))
  return () => {
    // `end` closes a checked-out client, and the pool discards a client that has ended.
    for (const client of waiting) void (client as unknown as pg.Client).end().catch(() => {})
  }
}

/**
 * Checks this connection repeatedly. If no response comes in time, calls `silent`; that, or an error, ends the connection. Returns a function that
 * stops the checks.
 */
export const startHeartbeat = (client: pg.Client, silent: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let late: NodeJS.Timeout | undefined
  const end = (): void => void client.end().catch(() => {})
  const beat = (): void => {
    // Counts only seconds in which this process could have received a response: a suspended process was not listening.
    let seconds = 0
    late = setInterval(() => {
      if (++seconds < MAX_SILENT_SECONDS) return
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
