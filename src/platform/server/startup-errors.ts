import { ConfigurationError } from './configuration-error.ts'
import { getErrorCode } from './error-code.ts'

/** The reason why the server cannot start, as a message for the operator; printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'CannotStart'
}

const toOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

/** A system error's reason, in plain words. */
export const getErrorReason = (error: unknown): string => {
  const code = getErrorCode(error)
  const known: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'a file with this name exists',
    ENOENT: 'it does not exist',
    ECONNREFUSED: 'nothing is listening there',
    ENOTFOUND: 'there is no such host',
    EAI_AGAIN: 'the host’s name cannot be looked up',
    ETIMEDOUT: 'it does not answer in time',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
    ECONNRESET: 'the connection was closed',
  }
  if (known[code]) return known[code]
  return error instanceof Error && error.message !== '' ? toOneLine(error.message) : code || String(error)
}

/** Why the server cannot listen, in one line. */
export const toListenError = (error: unknown, host: string, port: number): StartupError => {
  const code = getErrorCode(error)
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} on ${host} is used by another program; stop that one or set PORT to another number`)
  if (code === 'EACCES') return new StartupError(`Port ${port} on ${host} may not be used by this user; set PORT to a number above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new StartupError(`HOST is ${host}, which is not an address of this computer`)
  return new StartupError(`Port ${port} on ${host} cannot be listened on: ${getErrorReason(error)}`)
}

/** The lines to print for an error that prevents the start; a defect of ours keeps its stack trace. */
export const formatStartupError = (error: unknown): string => {
  if (error instanceof StartupError) return error.message
  if (error instanceof ConfigurationError) return error.mistakes.join('\n')
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
