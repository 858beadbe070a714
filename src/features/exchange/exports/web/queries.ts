import { useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../../platform/contract/call.ts'
import { showError } from '../../../../platform/web/banner.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { fetchFile, saveFile } from '../../../../platform/web/files.ts'
import type { DownloadAs } from '../../../../platform/web/list/DownloadMenu.tsx'
import { showDone } from '../../../../platform/web/notice.ts'
import { keyOf, queryClient, reading } from '../../../../platform/web/queries.ts'
import type { ExportKind } from '../contract.ts'
import { downloadList, listDownloads, previews } from '../contract.ts'
import { isUnderWay } from '../rules.ts'

/** What a workbook will hold, before it is fetched. */
export const usePreview = (kind: ExportKind) => useQuery(reading(previews[kind]))

const LOOK_AGAIN = 2000

/** Who downloaded what; looked at again while one is under way. */
export const useDownloads = () =>
  useQuery({
    ...reading(listDownloads),
    refetchInterval: ({ state }) => (state.data?.some((one) => isUnderWay(one)) ? LOOK_AGAIN : false),
  })

/** What is left of a request once the menu has said the format; each list keeps its own filters and columns. */
type Shown<R> = R extends unknown ? Omit<R, 'format'> : never

/** Gives a list as it shows, with all columns of its table, as a file. */
export const useListDownload =
  (shown: Shown<BodyOf<typeof downloadList>>): DownloadAs =>
  async (format) => {
    try {
      const body = { ...shown, format }
      const fetched = await fetchFile(downloadList, new AbortController().signal, () => undefined, { body })
      saveFile(fetched)
      showDone({ text: `${fetched.name} was downloaded.` })
    } catch (error) {
      showError(`The list could not be downloaded. ${sayFailure(error)}`)
    }
    void queryClient.invalidateQueries({ queryKey: keyOf(listDownloads) })
  }
