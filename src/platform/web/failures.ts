import { Problem } from '../../contract/problem.ts'

/** No response arrived: the network or the server is unavailable. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  constructor(cause: unknown) {
    super('The connection was lost', { cause })
  }
}

/** The session has ended: the app navigates to the login page. */
export const isSignedOut = (error: unknown): boolean => error instanceof Problem && error.status === 401

/** A retry may succeed: no connection, too many requests, or a dependency of the server is down. The page stays and offers Retry. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof Problem && [429, 502, 503, 504].includes(error.status))

/** ' (request 3f…)', the id under which the server logged the error; empty if it logged none. */
export const formatRequestId = (error: unknown): string =>
  error instanceof Problem && error.requestId !== undefined ? ` (request ${error.requestId})` : ''

/** One sentence for users about any failure. */
export const errorMessage = (error: unknown): string => {
  if (error instanceof ConnectionLost) return 'The connection was lost. Check your network and try again.'
  if (error instanceof Problem) return `${error.detail ? `${error.message}. ${error.detail}` : error.message}${formatRequestId(error)}`
  return error instanceof Error && error.message ? error.message : 'Something went wrong'
}
