import type { BodyOf } from '../../../contract/call.ts'
import { downloadFile } from '../../../platform/web/files.ts'
import type { DownloadAs } from '../../../platform/web/list/DownloadMenu.tsx'
import { downloadList } from '../contract.ts'

/** A request without its format, which is chosen in the menu. Distributes over the union, because each list has its own filters and columns. */
type WithoutFormat<R> = R extends unknown ? Omit<R, 'format'> : never

/** Returns a handler that downloads a list as it is shown, with all columns of its table. */
export const useListDownload =
  (request: WithoutFormat<BodyOf<typeof downloadList>>): DownloadAs =>
  (format) =>
    downloadFile(downloadList, 'The list', { body: { ...request, format } })
