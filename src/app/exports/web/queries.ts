import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { type ExportKind, listDownloads, previews } from '../contract.ts'
import { isRunning } from '../rules.ts'

export const usePreview = (kind: ExportKind) => useQuery(callQueryOptions(previews[kind]))

const POLL_INTERVAL_MS = 2000

/** The download log. It is requested on every visit, because lists are downloaded on other pages, and polled while a download is running. */
export const useDownloads = () =>
  useQuery({
    ...callQueryOptions(listDownloads),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some((download) => isRunning(download)) ? POLL_INTERVAL_MS : false),
  })
