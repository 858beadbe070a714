import { formatFileName } from '../../contract/file-names.ts'
import type { ListRequest } from '../../records/list-download/contract.ts'
import { type Download, type ExportKind, EXPORTS } from './contract.ts'

export const getFileName = (kind: ExportKind, at: Date, timeZone: string): string =>
  `${formatFileName(EXPORTS[kind].name, at, timeZone)}.xlsx`

/** The entry of a list's download in the log: the list, its filters and its search. */
export const formatListKind = (title: string, { format, filters, search }: Pick<ListRequest, 'format' | 'filters' | 'search'>): string => {
  const filterTexts = Object.entries({ ...filters, search: search.trim() || undefined }).flatMap(([name, value]) =>
    value === undefined || value === 'all' ? [] : [`${name}: ${value}`],
  )
  return [`List: ${title} (${format.toUpperCase()})`, ...filterTexts].join(', ')
}

const KILOBYTE = 1024
/** '60 KB', '1.4 MB'. */
export const formatSize = (bytes: number): string => {
  const kilobytes = bytes / KILOBYTE
  if (kilobytes < 999.5) return `${Math.max(1, Math.round(kilobytes))} KB`
  return `${(kilobytes / KILOBYTE).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
}

export const EXPORT_DESCRIPTIONS: Record<ExportKind, string> = {
  charter_affairs: 'One row per charter, with its charter affair record. Board members and districts are on separate sheets',
  facilities: 'One row per site, with its address, lease and premises',
  finance: 'One row per site, with its finance number, lease and rent',
  site_leadership: 'One row per leader and role at a site, with phone and email',
  student_support: 'One row per support staff member and role at a site, with phone and email',
  deadlines: 'One row per deadline, with its date, state and who is responsible; those of charters for levels 6 and lower',
}

/** A download without an end after this time was interrupted, because the server stopped. */
const MAX_DOWNLOAD_MS = 3_600_000
export const isRunning = ({ outcome, at }: Pick<Download, 'outcome' | 'at'>, now = Date.now()): boolean =>
  outcome === null && now - Date.parse(at) < MAX_DOWNLOAD_MS
