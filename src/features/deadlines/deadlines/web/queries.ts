import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'

import type { QueryOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import {
  countDeadlines,
  type Deadline,
  type DeadlineChange,
  type UnreadText,
  listContradictions,
  listDeadlines,
  listDeadlineTexts,
  listUnreadTexts,
  readDeadline,
  readDeadlineHistory,
  updateDeadline,
} from '../contract.ts'

/** Deadlines with a certain date, unless proposed ones are asked for. */
export const useDeadlines = (query: QueryOf<typeof listDeadlines>, { isEnabled = true } = {}) =>
  useQuery({
    ...callQueryOptions(listDeadlines, { query: { proposed: 'false', ...query } }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })

/** For users who may read charter affairs. */
export const useUnreadTexts = (isEnabled: boolean) => useQuery({ ...callQueryOptions(listUnreadTexts), enabled: isEnabled })
export const useContradictions = (isEnabled: boolean) => useQuery({ ...callQueryOptions(listContradictions), enabled: isEnabled })

/** The changes of a deadline, newest first. */
export const useDeadlineHistory = (_id: string) =>
  useInfiniteQuery({
    queryKey: getQueryKey(readDeadlineHistory, { params: { id: _id }, query: {} }),
    queryFn: ({ pageParam, signal }) =>
      send(readDeadlineHistory, { params: { id: _id }, query: pageParam === undefined ? {} : { before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.more ? last.changes.at(-1)?._id : undefined),
    staleTime: 0,
  })

/** Reloads everything that shows deadlines. */
export const reloadDeadlines = (): Promise<unknown> =>
  Promise.all(
    [listDeadlines, countDeadlines, listUnreadTexts, listContradictions, listDeadlineTexts].map((call) =>
      queryClient.invalidateQueries({ queryKey: getQueryKey(call) }),
    ),
  )

/** Reloads a deadline. */
export const reloadDeadline = (_id: string): Promise<Deadline> => send(readDeadline, { params: { id: _id } })

/** Sets the date of a text without one, or removes it from the list. */
export const changeText = async ({ _id, version }: Pick<UnreadText, '_id' | 'version'>, change: DeadlineChange): Promise<void> => {
  await send(updateDeadline, { params: { id: _id }, body: change, version })
  await reloadDeadlines()
}

/** Changes a deadline based on the version that was seen, and reloads lists that show it. Null for a text that no longer has a date. */
export const changeDeadline = async (
  { _id, version }: Pick<Deadline, '_id' | 'version'>,
  change: DeadlineChange,
): Promise<Deadline | null> => {
  const changed = await send(updateDeadline, { params: { id: _id }, body: change, version })
  if (changed)
    queryClient.setQueriesData({ queryKey: getQueryKey(listDeadlines) }, (rows: readonly Deadline[] | undefined) =>
      rows?.map((row) => (row._id === _id ? changed : row)),
    )
  void reloadDeadlines()
  return changed
}
