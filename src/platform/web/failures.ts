import { Problem } from '../../contract/problem.ts'

/** No answer came: the network, or the server, is away. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  constructor(cause: unknown) {
    super('The connection was lost', { cause })
  }
}

/** The session is dead: the way goes to the login page. */
export const isSignedOut = (error: unknown): boolean => error instanceof Problem && error.status === 401

/** Another try may work: no connection, too many requests, or something the server needs is down. Offers Retry and stays. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof Problem && [429, 502, 503, 504].includes(error.status))

/** ' (request 3f…)', by which the server's log names what failed; empty where it has nothing to say of it. */
export const formatRequestId = (error: unknown): string =>
  error instanceof Problem && error.requestId !== undefined ? ` (request ${error.requestId})` : ''

/** One sentence for people about any failure. */
export const errorMessage = (error: unknown): string => {
  if (error instanceof ConnectionLost) return 'The connection was lost. Check your network and try again.'
  if (error instanceof Problem) return `${error.detail ? `${error.message}. ${error.detail}` : error.message}${formatRequestId(error)}`
  return error instanceof Error && error.message ? error.message : 'Something went wrong'
}
