import type { BodyOf } from '../../../contract/call.ts'
import { showError } from '../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { fetchFile, saveFile } from '../../../platform/web/files.ts'
import type { DownloadAs } from '../../../platform/web/list/DownloadMenu.tsx'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import { downloadList } from '../contract.ts'

/** A request without its format, which is chosen in the menu. Distributes over the union, because each list has its own filters and columns. */
type WithoutFormat<R> = R extends unknown ? Omit<R, 'format'> : never

/** Returns a handler that downloads a list as it is shown, with all columns of its table. */
export const useListDownload =
  (request: WithoutFormat<BodyOf<typeof downloadList>>): DownloadAs =>
  async (format) => {
    try {
      const file = await fetchFile(downloadList, new AbortController().signal, () => undefined, { body: { ...request, format } })
      saveFile(file)
      showSuccess({ text: `${file.name} was downloaded.` })
    } catch (error) {
      showError(`The list could not be downloaded. ${errorMessage(error)}`)
    }
  }
