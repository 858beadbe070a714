import { sql, type RawBuilder } from 'kysely'

/** The moment after some milliseconds by the clock of the database, which all servers share. */
export const fromNow = (ms: number): RawBuilder<Date> => sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`
