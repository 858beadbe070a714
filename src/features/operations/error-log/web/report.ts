import { callName } from '../../../../contract/call.ts'
import { Problem } from '../../../../contract/problem.ts'
import { getCallUrl, onFailure } from '../../../../platform/web/client.ts'
import type { Failure } from '../../../../platform/web/client.ts'
import { ConnectionLost } from '../../../../platform/web/failures.ts'
import { readToken } from '../../../../platform/web/token.ts'
import { logError } from '../contract.ts'
import type { ErrorReport } from '../contract.ts'
import { isWorthLogging, canReport } from '../rules.ts'

const shorten = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined
  const words = typeof value === 'string' ? value : JSON.stringify(value)
  return words.length > 4000 ? `${words.slice(0, 4000)}…` : words
}

/** The fields of a report, as text. */
type Report = Partial<Record<keyof ErrorReport, string>>

const recentReports: { at: number; key: string }[] = []

/** Sends a report without `send`, so that a failure of the log never reports itself. */
const sendReport = async (report: Report): Promise<void> => {
  if (!isWorthLogging(report) || !canReport(recentReports, `${report.errorMessage ?? ''}|${report.errorLocation ?? ''}`, Date.now())) return
  try {
    const token = readToken()
    const response = await fetch(getCallUrl(logError), {
      method: logError.method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}`, 'x-auth-token': token } : {}) },
      credentials: 'include',
      keepalive: true,
      body: JSON.stringify({ timestamp: new Date().toISOString(), ...report }),
    })
    // oxlint-disable-next-line eslint/no-console -- the documented console message
    if (!response.ok) console.error('Failed to send error log to server:', response.status)
  } catch (error) {
    // oxlint-disable-next-line eslint/no-console -- the documented console message
    console.error('Failed to send error log to server:', error)
  }
}

/** Reports a thrown value. */
export const reportError = (context: string, thrown: unknown, errorLocation?: string): void => {
  const error = thrown instanceof Error ? thrown : undefined
  void sendReport({
    context,
    errorMessage: shorten(error?.message || (typeof thrown === 'string' && thrown) || 'Unknown error'),
    errorName: error?.name,
    stackTrace: shorten(error?.stack),
    errorLocation,
  })
}

const reportFailure = ({ call, address, body, error }: Failure): void => {
  // oxlint-disable-next-line eslint/no-console -- failed calls are written to the console
  console.error(`${callName(call)} failed:`, error)
  void sendReport({
    context: 'response interceptor',
    errorMessage: error.message,
    errorName: error.name,
    stackTrace: shorten(error.stack),
    errorLocation: address,
    requestData: shorten({ method: call.method, url: address, body }),
    responseData: error instanceof Problem ? shorten(error.toBody()) : undefined,
  })
}

/** Starts reporting window errors, unhandled rejections and failed calls. */
export const startErrorLog = (silent: (failure: Failure) => boolean): void => {
  onFailure((failure) => {
    if (!silent(failure)) reportFailure(failure)
  })
  window.addEventListener('error', (event) => {
    const location = event.filename ? `${event.filename}:${event.lineno}:${event.colno}` : undefined
    reportError('window error', event.error ?? event.message, location)
  })
  window.addEventListener('unhandledrejection', (event) => {
    // Failed calls are reported when their response arrives.
    if (event.reason instanceof Problem || event.reason instanceof ConnectionLost) return
    reportError('unhandled rejection', event.reason, location.pathname)
  })
}
