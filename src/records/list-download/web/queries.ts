import type { BodyOf } from '../../../contract/call.ts'
import { downloadFile } from '../../../platform/web/files.ts'
import type { DownloadAs } from '../../../platform/web/list/DownloadMenu.tsx'
import { downloadList } from '../contract.ts'

type ListBody = BodyOf<typeof downloadList>
/** Distributes over the union, because each list has its own filters and columns. */
type Without<R, Name extends string> = R extends unknown ? Omit<R, Name> : never
/** Which list is downloaded, with its filters. */
export type ListedRequest = Without<ListBody, 'format' | 'search' | 'sort' | 'columns'>

/** Returns a handler that downloads a list as it is shown, with all columns of its table, in the format chosen in the menu. */
export const useListDownload =
  (request: Without<ListBody, 'format'>): DownloadAs =>
  (format) =>
    downloadFile(downloadList, 'The list', { body: { ...request, format } })
