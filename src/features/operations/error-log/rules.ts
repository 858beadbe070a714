interface ReportFields {
  readonly errorMessage?: unknown
  readonly stackTrace?: unknown
  readonly errorLocation?: unknown
  readonly requestData?: unknown
}

/** The url a report names: of the page, or of the call that failed. */
const getUrl = ({ errorLocation, requestData }: ReportFields): unknown =>
  errorLocation || (typeof requestData === 'object' && requestData !== null && 'url' in requestData ? requestData.url : undefined)

/** The skip rule of section 8: an 'Unknown error' with no stack and no url tells nothing. */
export const isWorthLogging = (report: ReportFields): boolean =>
  !(report.errorMessage === 'Unknown error' && !report.stackTrace && !getUrl(report))

const MINUTE_MS = 60_000
const MAX_REPORTS_PER_MINUTE = 20

/**
 * A page that fails in a loop must not flood the log: at most 20 reports a minute, and the same one once in ten seconds.
 * Forgets what is older and remembers this report in `sent` where it may go out.
 */
export const canReport = (sent: { at: number; what: string }[], what: string, now: number): boolean => {
  sent.splice(0, sent.findIndex(({ at }) => at > now - MINUTE_MS) === -1 ? sent.length : sent.findIndex(({ at }) => at > now - MINUTE_MS))
  if (sent.length >= MAX_REPORTS_PER_MINUTE || sent.some((one) => one.what === what && one.at > now - MINUTE_MS / 6)) return false
  sent.push({ at: now, what })
  return true
}
