import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { showError } from '../../../platform/web/banner.ts'
import { sayFailure } from '../../../platform/web/failures.ts'
import { fetchFile, saveFile } from '../../../platform/web/files.ts'
import type { Column } from '../../../platform/web/list/columns.ts'
import type { DownloadAs } from '../../../platform/web/list/DownloadMenu.tsx'
import { showDone } from '../../../platform/web/notice.ts'
import { keyOf, queryClient, reading } from '../../../platform/web/queries.ts'
import type { ExportKind } from '../contract.ts'
import { downloadList, listDownloads, previews } from '../contract.ts'
import { isUnderWay, rowsToSend } from '../rules.ts'

/** What a workbook will hold, before it is fetched. */
export const usePreview = (kind: ExportKind) => useQuery(reading(previews[kind]))

const LOOK_AGAIN = 2000

/** Who downloaded what; looked at again while one is under way. */
export const useDownloads = () =>
  useQuery({
    ...reading(listDownloads),
    refetchInterval: ({ state }) => (state.data?.some((one) => isUnderWay(one)) ? LOOK_AGAIN : false),
  })

/** Gives a list as it shows, with all columns of its table, as a file. Keep `columns` and `shown` the same between renderings, and so is what is given. */
export const useListDownload = <T>(list: string, columns: readonly Column<T>[], shown: readonly T[]): DownloadAs =>
  useCallback(
    async (format) => {
      const body = {
        list,
        format,
        columns: columns.map(({ label, day, isNumber }) => ({
          label,
          holds: day ? ('day' as const) : isNumber ? ('number' as const) : ('text' as const),
        })),
        rows: rowsToSend(shown.map((record) => columns.map(({ day, text }) => (day ?? text)(record)))),
      }
      try {
        const fetched = await fetchFile(downloadList, new AbortController().signal, () => undefined, { body })
        saveFile(fetched)
        showDone({ text: `${fetched.name} was downloaded.` })
      } catch (error) {
        showError(`The list could not be downloaded. ${sayFailure(error)}`)
      }
      void queryClient.invalidateQueries({ queryKey: keyOf(listDownloads) })
    },
    [list, columns, shown],
  )
