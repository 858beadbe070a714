import { MINUTE_MS } from '../../../contract/dates.ts'
interface ReportFields {
  readonly errorMessage?: unknown
  readonly stackTrace?: unknown
  readonly errorLocation?: unknown
  readonly requestData?: unknown
}

/** The URL of the page or of the failed call. */
const getUrl = ({ errorLocation, requestData }: ReportFields): unknown =>
  errorLocation || (typeof requestData === 'object' && requestData !== null && 'url' in requestData ? requestData.url : undefined)

/** False for an 'Unknown error' without a stack and a URL, which is useless. */
export const isWorthLogging = (report: ReportFields): boolean =>
  !(report.errorMessage === 'Unknown error' && !report.stackTrace && !getUrl(report))

const MAX_REPORTS_PER_MINUTE = 20

/**
 * Limits reports to 20 a minute and identical ones to one every ten seconds, because a page that fails in a loop would flood the log. Removes older
 * reports from `sent` and adds this one if it may be sent.
 */
export const canReport = (sent: { at: number; key: string }[], key: string, now: number): boolean => {
  sent.splice(0, sent.findIndex(({ at }) => at > now - MINUTE_MS) === -1 ? sent.length : sent.findIndex(({ at }) => at > now - MINUTE_MS))
  if (sent.length >= MAX_REPORTS_PER_MINUTE || sent.some((one) => one.key === key && one.at > now - MINUTE_MS / 6)) return false
  sent.push({ at: now, key })
  return true
}
