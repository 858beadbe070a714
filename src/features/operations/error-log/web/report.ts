import { callName } from '../../../../platform/contract/call.ts'
import { Problem } from '../../../../platform/contract/problem.ts'
import { addressOf, onFailure } from '../../../../platform/web/client.ts'
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

/** What we send of what the call takes: words only. */
type Report = Partial<Record<keyof ErrorReport, string>>

const recentReports: { at: number; what: string }[] = []

/** Posts a report. It goes past `send`, so that a failing log never reports itself. */
const sendReport = async (report: Report): Promise<void> => {
  if (!isWorthLogging(report) || !canReport(recentReports, `${report.errorMessage ?? ''}|${report.errorLocation ?? ''}`, Date.now())) return
  try {
    const token = readToken()
    const response = await fetch(addressOf(logError), {
      method: logError.method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}`, 'x-auth-token': token } : {}) },
      credentials: 'include',
      keepalive: true,
      body: JSON.stringify({ timestamp: new Date().toISOString(), ...report }),
    })
    // oxlint-disable-next-line eslint/no-console -- the specification's own line (section 8)
    if (!response.ok) console.error('Failed to send error log to server:', response.status)
  } catch (error) {
    // oxlint-disable-next-line eslint/no-console -- the specification's own line (section 8)
    console.error('Failed to send error log to server:', error)
  }
}

/** Reports anything that was thrown (section 7, D51). */
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
  // oxlint-disable-next-line eslint/no-console -- failed calls are written to the console (section 8)
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

/** Starts the three callers of the log: window errors, rejections nobody handled, failed answers (D51). */
export const startErrorLog = (silent: (failure: Failure) => boolean): void => {
  onFailure((failure) => {
    if (!silent(failure)) reportFailure(failure)
  })
  window.addEventListener('error', (event) => {
    const place = event.filename ? `${event.filename}:${event.lineno}:${event.colno}` : undefined
    reportError('window error', event.error ?? event.message, place)
  })
  window.addEventListener('unhandledrejection', (event) => {
    // What a call refused was reported when its answer came.
    if (event.reason instanceof Problem || event.reason instanceof ConnectionLost) return
    reportError('unhandled rejection', event.reason, location.pathname)
  })
}
