import { fetchFile, saveFile } from '../../../../platform/web/files.ts'
import { showDone } from '../../../../platform/web/notice.ts'
import { keyOf, queryClient } from '../../../../platform/web/queries.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'
import type { ExportKind } from '../contract.ts'
import { downloads, listDownloads, previews } from '../contract.ts'

/** The download under way, or how the last one failed. It goes on while other pages are looked at. */
export type Downloading =
  | { readonly state: 'none' }
  | { readonly state: 'under way'; readonly kind: ExportKind; readonly bytes: number; readonly stop: () => void }
  | { readonly state: 'failed'; readonly kind: ExportKind; readonly error: unknown }

const NONE: Downloading = { state: 'none' }
const downloading = createStore<Downloading>(NONE)
export const useDownloading = (): Downloading => useStore(downloading)

/** Fetches a workbook and gives it to the browser to keep. */
export const download = async (kind: ExportKind): Promise<void> => {
  const stopped = new AbortController()
  const tell = (bytes: number): void =>
    downloading.set({
      state: 'under way',
      kind,
      bytes,
      stop: () => {
        stopped.abort()
        downloading.set(NONE)
      },
    })
  tell(0)
  try {
    const fetched = await fetchFile(downloads[kind], stopped.signal, tell)
    saveFile(fetched)
    downloading.set(NONE)
    showDone({ text: `${fetched.name} was downloaded.` })
  } catch (error) {
    if (!stopped.signal.aborted) downloading.set({ state: 'failed', kind, error })
  }
  // Who downloaded what has a line more, and the next file's size can be told.
  for (const call of [listDownloads, previews[kind]]) void queryClient.invalidateQueries({ queryKey: keyOf(call) })
}

export const forgetFailure = (): void => {
  if (downloading.get().state === 'failed') downloading.set(NONE)
}
