import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { downloadFile } from '../../../../platform/web/files.ts'
import { usePollInterval } from '../../../../platform/web/live.ts'
import { callQueryOptions, getQueryKey } from '../../../../platform/web/queries.ts'
import { sendRestore } from '../../../changing/history/web/queries.ts'
import {
  type ActivityChange,
  type ActivityEntry,
  type ActivityFilter,
  countActivity,
  countNewActivity,
  downloadActivity,
  readActivity,
  readActivityEntry,
} from '../contract.ts'
import { useActivityRecords } from './activity-records.ts'

/** All changes, newest first. Loaded pages do not change: new entries appear on the first page. */
export const useActivity = (filter: ActivityFilter) =>
  useInfiniteQuery({
    queryKey: getQueryKey(readActivity, { query: filter }),
    queryFn: ({ pageParam, signal }) =>
      send(readActivity, { query: { ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ before }) => before ?? undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { shows: [] },
  })

/** The number of entries on each of the last days, by day. */
export const useActivityCounts = (filter: ActivityFilter) =>
  useQuery({
    ...callQueryOptions(countActivity, { query: filter }),
    select: (days) => new Map(days.map(({ day, entries }) => [day, entries])),
    placeholderData: keepPreviousData,
  })

const NEW_EVERY_MS = 20_000

/** The number of new entries since the first page was loaded. */
export const useNewActivity = (filter: ActivityFilter, since: string | undefined) =>
  useQuery({
    ...callQueryOptions(countNewActivity, { query: { ...filter, since: since ?? '0' } }),
    enabled: since !== undefined,
    refetchInterval: usePollInterval(NEW_EVERY_MS),
  })

/** One entry with all of its changes. */
export const useWholeEntry = (_id: string, filter: ActivityFilter, isEnabled: boolean) =>
  useQuery({ ...callQueryOptions(readActivityEntry, { params: { id: _id }, query: filter }), enabled: isEnabled })

const restore = async (change: ActivityChange, entry: ActivityEntry, version: number | undefined): Promise<void> => {
  const record = entry.records.find(({ _id }) => _id === change.record)
  const request = { body: {}, ...(version === undefined ? {} : { version }) }
  await sendRestore({ table: change.part, _id: change.record, slug: record?.slug ?? null }, change._id, request)
}

/**
 * Restores what the changes of an entry replaced, newest first: each part over the version that was shown, or a changeset as a whole. Returns how
 * many values were not restored.
 */
export const useRestoreEntry = () => {
  const client = useQueryClient()
  const { undoChangeset } = useActivityRecords()
  return useMutation({
    mutationFn: async (entry: ActivityEntry): Promise<number> => {
      if (entry.changeset) return undoChangeset(entry.changeset._id)
      const touched = new Set<string>()
      for (const change of entry.changes.filter(({ canRestore }) => canRestore)) {
        const part = `${change.record} ${change.part} ${change.title}`
        await restore(change, entry, touched.has(part) ? undefined : (change.version ?? undefined))
        touched.add(part)
      }
      return 0
    },
    onSettled: () => client.invalidateQueries(),
  })
}

/** Downloads the changes that match a filter. */
export const useActivityDownload = () =>
  useMutation({ mutationFn: (filter: ActivityFilter) => downloadFile(downloadActivity, 'The activity', { query: filter }) })
