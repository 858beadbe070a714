import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { keyOf } from '../../../../platform/web/queries.ts'
import type { Change, FieldOfPart, HistoryKind } from '../contract.ts'
import { putBack, putBackAffair, readAffairHistory, readHistory } from '../contract.ts'
import type { Wanted } from './changeWords.ts'

/** By whom and by which field a history is narrowed. */
export type Narrowed = { readonly by?: string } & Partial<FieldOfPart>

/** The changes of a record, the newest first; who and which fields there are stay on the screen while another choice loads. */
export const useHistory = (kind: HistoryKind, _id: string, narrowed: Narrowed) =>
  useInfiniteQuery({
    queryKey:
      kind === 'charter_affair'
        ? keyOf(readAffairHistory, { params: { id: _id }, query: narrowed })
        : keyOf(readHistory, { params: { kind, id: _id }, query: narrowed }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...narrowed, ...(pageParam === undefined ? {} : { before: pageParam }) }
      return kind === 'charter_affair'
        ? send(readAffairHistory, { params: { id: _id }, query, signal })
        : send(readHistory, { params: { kind, id: _id }, query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.more ? last.changes.at(-1)?._id : undefined),
    placeholderData: keepPreviousData,
  })

interface PuttingBack {
  readonly change: Change
  readonly wanted: Wanted
}

const bodyOf = (wanted: Wanted) => {
  if (wanted === 'all') return {}
  if (wanted === 'whole') return { whole: true as const }
  return { fields: ['section' in wanted ? wanted.section.field : wanted.line.field] }
}

/**
 * Puts a value back, over the version the reader saw. Whatever comes of it, the history and the page behind it are read again: a refusal
 * mostly means that somebody else was quicker.
 */
export const usePutBack = (kind: HistoryKind, _id: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ change, wanted }: PuttingBack) => {
      const params = { id: _id, change: change._id }
      const sent = { body: bodyOf(wanted), ...(change.version === null ? {} : { version: change.version }) }
      return kind === 'charter_affair' ? send(putBackAffair, { params, ...sent }) : send(putBack, { params: { kind, ...params }, ...sent })
    },
    onSettled: () => client.invalidateQueries(),
  })
}
