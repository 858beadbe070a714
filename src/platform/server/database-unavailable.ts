import { getErrorCode } from './error-code.ts'

/**
 * PostgreSQL's codes for temporary failures: no connection, starting up, shutting down, timeout, too many clients, read-only after a failover, and
 * refused credentials, for example while they are being changed.
 */
const DATABASE_UNAVAILABLE = /^(08...|57P0[1235]|57014|53300|25006|28P01|28000)$/
/** Messages of node-postgres, its pool and Kysely for a lost connection; they have no code. */
const CONNECTION_LOST =
  /^(timeout exce|timeout expired|Connection terminated|Query read timeout|Client (has encountered|was closed)|There was an error establishing an SSL|Postgres connection has been discarded|received invalid response|Received unexpected)/i
/** System calls that fail when the other end of a connection is unavailable. */
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'write'])

/** Whether an error means that the database is temporarily unavailable and a retry makes sense. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  DATABASE_UNAVAILABLE.test(getErrorCode(error)) ||
  (error instanceof Error && 'syscall' in error && NETWORK_CALLS.has(String(error.syscall)) && !('path' in error)) ||
  (error instanceof Error && 'syscall' in error && error.syscall === 'connect') ||
  (error instanceof Error && CONNECTION_LOST.test(error.message)) ||
  // Connecting to a host with several addresses failed for all of them.
  (error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isDatabaseUnavailable))
