import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import type { RecordKind } from '../../../platform/contract/records.ts'
import { send } from '../../../platform/web/client.ts'
import { keyOf } from '../../../platform/web/queries.ts'
import type { Change, FieldOfPart } from '../contract.ts'
import { putBack, readHistory } from '../contract.ts'
import type { Wanted } from './changeWords.ts'

/** By whom and by which field a history is narrowed. */
export type Narrowed = { readonly by?: string } & Partial<FieldOfPart>

/** The changes of a record, the newest first; who and which fields there are stay on the screen while another choice loads. */
export const useHistory = (kind: RecordKind, _id: string, narrowed: Narrowed) => {
  const params = { kind, id: _id }
  return useInfiniteQuery({
    queryKey: keyOf(readHistory, { params, query: narrowed }),
    queryFn: ({ pageParam, signal }) =>
      send(readHistory, { params, query: { ...narrowed, ...(pageParam === undefined ? {} : { before: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.more ? last.changes.at(-1)?._id : undefined),
    placeholderData: keepPreviousData,
  })
}

interface PuttingBack {
  readonly change: Change
  readonly wanted: Wanted
}

const bodyOf = (wanted: Wanted) => (wanted === 'all' ? {} : wanted === 'whole' ? { whole: true as const } : { fields: [wanted.line.field] })

/**
 * Puts a value back, over the version the reader saw. Whatever comes of it, the history and the page behind it are read again: a refusal
 * mostly means that somebody else was quicker.
 */
export const usePutBack = (kind: RecordKind, _id: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ change, wanted }: PuttingBack) =>
      send(putBack, {
        params: { kind, id: _id, change: change._id },
        body: bodyOf(wanted),
        ...(change.version === null ? {} : { version: change.version }),
      }),
    onSettled: () => client.invalidateQueries(),
  })
}
