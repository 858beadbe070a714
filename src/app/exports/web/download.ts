import { fetchFile, saveFile } from '../../../platform/web/files.ts'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import { createStore, useStore } from '../../../platform/web/store.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import type { ExportKind } from '../contract.ts'
import { downloads, listDownloads, previews } from '../contract.ts'

/** The running download, or the failure of the last one. It continues while other pages are open. */
export type DownloadState =
  | { readonly state: 'none' }
  | { readonly state: 'under way'; readonly kind: ExportKind; readonly bytes: number; readonly stop: () => void }
  | { readonly state: 'failed'; readonly kind: ExportKind; readonly error: unknown }

const NO_DOWNLOAD: DownloadState = { state: 'none' }
const downloadState = createStore<DownloadState>(NO_DOWNLOAD)
export const useDownloadState = (): DownloadState => useStore(downloadState)

/** Downloads a workbook and saves it. */
export const download = async (kind: ExportKind): Promise<void> => {
  const stopped = new AbortController()
  const showProgress = (bytes: number): void =>
    downloadState.set({
      state: 'under way',
      kind,
      bytes,
      stop: () => {
        stopped.abort()
        downloadState.set(NO_DOWNLOAD)
      },
    })
  showProgress(0)
  try {
    const fetched = await fetchFile(downloads[kind], { signal: stopped.signal }, showProgress)
    saveFile(fetched)
    downloadState.set(NO_DOWNLOAD)
    showSuccess({ text: `${fetched.name} was downloaded.` })
  } catch (error) {
    if (!stopped.signal.aborted) downloadState.set({ state: 'failed', kind, error })
  }
  // The log has a new entry, and the preview a new estimate of the size.
  for (const call of [listDownloads, previews[kind]]) void queryClient.invalidateQueries({ queryKey: getQueryKey(call) })
}

export const clearDownloadFailure = (): void => {
  if (downloadState.get().state === 'failed') downloadState.set(NO_DOWNLOAD)
}
