import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { downloadFile } from '../../../../platform/web/files.ts'
import { callQueryOptions, getQueryKey } from '../../../../platform/web/queries.ts'
import { type AuditFilter, downloadAudit, listAuditActors, listAuditEntries } from '../contract.ts'

/** Entries, newest first. The previous result stays on the screen while another filter loads. */
export const useAuditEntries = (filter: AuditFilter, isEach: boolean) => {
  const query = { ...filter, ...(isEach ? { each: 'true' as const } : {}) }
  return useInfiniteQuery({
    queryKey: getQueryKey(listAuditEntries, { query }),
    queryFn: ({ pageParam, signal }) =>
      send(listAuditEntries, { query: { ...query, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    // New events arrive all the time.
    staleTime: 0,
  })
}

export const useAuditActors = () => useQuery(callQueryOptions(listAuditActors))

/** Downloads the events that match a filter. */
export const useAuditDownload = () =>
  useMutation({ mutationFn: (filter: AuditFilter) => downloadFile(downloadAudit, 'The audit trail', { query: filter }) })
