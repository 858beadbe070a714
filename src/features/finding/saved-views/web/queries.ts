import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { deleteView, listViews, renameView, saveView, shareView } from '../contract.ts'

const viewsQuery = callQueryOptions(listViews)

/** The user's own and shared views, by name. */
export const useViews = () => useQuery(viewsQuery)

/** A change of views; the list is reloaded afterward, also after a failure. */
const useChange = <Change, Answer>(change: (what: Change) => Promise<Answer>) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey: viewsQuery.queryKey }) })
}

export const useSaveView = () => useChange((body: BodyOf<typeof saveView>) => send(saveView, { body }))
export const useRenameView = () =>
  useChange(({ id, name }: { id: string; name: string }) => send(renameView, { params: { id }, body: { name } }))
export const useShareView = () =>
  useChange(({ id, shared }: { id: string; shared: boolean }) => send(shareView, { params: { id }, body: { shared } }))
export const useDeleteView = () => useChange(({ id }: { id: string }) => send(deleteView, { params: { id } }))
