import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'

import type { BodyOf } from '../../../../contract/call.ts'
import { getKindOfTable, type RecordKind } from '../../../../contract/records.ts'
import { send } from '../../../../platform/web/client.ts'
import { getQueryKey } from '../../../../platform/web/queries.ts'
import type { Change, FieldOfPart, HistoryKind } from '../contract.ts'
import { restoreFromHistory, restoreAffairFromHistory, readAffairHistory, readHistory } from '../contract.ts'
import type { RestoreTarget } from '../rules.ts'

/** Filters a history by person and by field. */
export type HistoryFilter = { readonly by?: string } & Partial<FieldOfPart>

/** The changes of a record, newest first. The previous page stays on the screen while another filter loads. */
export const useHistory = (kind: HistoryKind, _id: string, filter: HistoryFilter) =>
  useInfiniteQuery({
    queryKey:
      kind === 'charter_affair'
        ? getQueryKey(readAffairHistory, { params: { id: _id }, query: filter })
        : getQueryKey(readHistory, { params: { kind, id: _id }, query: filter }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }
      return kind === 'charter_affair'
        ? send(readAffairHistory, { params: { id: _id }, query, signal })
        : send(readHistory, { params: { kind, id: _id }, query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.more ? last.changes.at(-1)?._id : undefined),
    placeholderData: keepPreviousData,
  })

/** Restores what a change replaced in a record, given by the table of the change. */
export const sendRestore = (
  { table, _id, slug }: { readonly table: string; readonly _id: string; readonly slug: string | null },
  change: string,
  request: { readonly body: BodyOf<typeof restoreFromHistory>; readonly version?: number },
): Promise<void> => {
  const kind = getKindOfTable(table)
  return kind === 'charter_affair'
    ? send(restoreAffairFromHistory, { params: { id: slug ?? '', change }, ...request })
    : send(restoreFromHistory, { params: { kind: kind as RecordKind, id: _id, change }, ...request })
}

interface RestoreInput {
  readonly change: Change
  readonly target: RestoreTarget
}

const toRestoreBody = (target: RestoreTarget) => {
  if (target === 'all') return {}
  if (target === 'whole') return { whole: true as const }
  return { fields: ['section' in target ? target.section.field : target.line.field] }
}

/**
 * Restores values over the version that the user saw. Afterward everything is reloaded, also after a failure: a refusal usually means that someone
 * else changed the record first.
 */
export const useRestore = (kind: HistoryKind, _id: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ change, target }: RestoreInput) => {
      const request = { body: toRestoreBody(target), ...(change.version === null ? {} : { version: change.version }) }
      return sendRestore({ table: kind, _id, slug: _id }, change._id, request)
    },
    onSettled: () => {
      // Versions under the previous filter may be outdated, and a restore would be refused.
      for (const call of [readHistory, readAffairHistory]) client.removeQueries({ queryKey: getQueryKey(call), type: 'inactive' })
      return client.invalidateQueries()
    },
  })
}
