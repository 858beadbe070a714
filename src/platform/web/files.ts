import type { Call } from '../../contract/call.ts'
import { sendRequest } from './client.ts'
import type { CallRequest } from './client.ts'
import { showError } from './error-banner.ts'
import { errorMessage } from './failures.ts'
import { showSuccess } from './success-notice.ts'

export interface FetchedFile {
  readonly name: string
  readonly file: Blob
}

const parseFileName = (disposition: string | null): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;\s]+)/.exec(disposition ?? '')?.[1] ?? 'download')

type FileRequest<C extends Call> = Pick<CallRequest<C>, 'params' | 'body' | 'query' | 'signal'>

/** Fetches a whole file, reporting the bytes received so far. An incomplete file is discarded. */
export const fetchFile = <C extends Call>(call: C, sent: FileRequest<C>, onBytes?: (bytes: number) => void): Promise<FetchedFile> =>
  sendRequest(call, sent, async (response, lost) => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    const reader = response.body?.getReader()
    for (;;) {
      const chunk = await reader?.read().catch(lost)
      if (!chunk || chunk.done) break
      chunks.push(chunk.value)
      bytes += chunk.value.length
      onBytes?.(bytes)
    }
    const type = response.headers.get('content-type') ?? ''
    return { name: parseFileName(response.headers.get('content-disposition')), file: new Blob(chunks, { type }) }
  })

/** The browser may still be reading the file a moment after the click. */
const REVOKE_AFTER_MS = 60_000

/** Saves a file through the browser's download, which replaces characters that are not allowed in file names. */
export const saveFile = ({ name, file }: FetchedFile): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS)
}

/** Downloads a file and says so. `what` begins the message of a failure: 'The list could not be downloaded.' */
export const downloadFile = async <C extends Call>(call: C, what: string, sent: FileRequest<C>): Promise<void> => {
  try {
    const file = await fetchFile(call, sent)
    saveFile(file)
    showSuccess({ text: `${file.name} was downloaded.` })
  } catch (error) {
    showError(`${what} could not be downloaded. ${errorMessage(error)}`)
  }
}
