import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { downloadFile } from '../../../../platform/web/files.ts'
import { callQueryOptions, getQueryKey } from '../../../../platform/web/queries.ts'
import { type AuditFilter, downloadAudit, listAuditActors, listAuditEvents } from '../contract.ts'

const PAGE_SIZE = 100

/** Events, newest first. The previous result stays on the screen while another filter loads. */
export const useAuditEvents = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: getQueryKey(listAuditEvents, { query: filter }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, order: 'newest' as const, limit: PAGE_SIZE, ...(pageParam === undefined ? {} : { cursor: pageParam }) }
      return send(listAuditEvents, { query, signal })
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length === PAGE_SIZE ? last.at(-1)?.sequence : undefined),
    placeholderData: keepPreviousData,
    // New events arrive all the time.
    staleTime: 0,
  })

export const useAuditActors = () => useQuery(callQueryOptions(listAuditActors))

/** Downloads the events that match a filter. */
export const useAuditDownload = () =>
  useMutation({ mutationFn: (filter: AuditFilter) => downloadFile(downloadAudit, 'The audit trail', { query: filter }) })
