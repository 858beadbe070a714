import type { Call } from '../../contract/call.ts'
import { sendRequest } from './client.ts'
import type { CallRequest } from './client.ts'

export interface FetchedFile {
  readonly name: string
  readonly file: Blob
}

const parseFileName = (disposition: string | null): string =>
  decodeURIComponent(/filename\*=UTF-8''([^;\s]+)/.exec(disposition ?? '')?.[1] ?? 'download')

/** Downloads a whole file, reporting the bytes received so far. An incomplete file is discarded. */
export const fetchFile = <C extends Call>(
  call: C,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
  sent?: Pick<CallRequest<C>, 'params' | 'body' | 'query'>,
): Promise<FetchedFile> =>
  sendRequest(call, { ...sent, signal }, async (response, lost) => {
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    const reader = response.body?.getReader()
    for (;;) {
      const chunk = await reader?.read().catch(lost)
      if (!chunk || chunk.done) break
      chunks.push(chunk.value)
      bytes += chunk.value.length
      onBytes(bytes)
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
