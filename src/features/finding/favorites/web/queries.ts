import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { RecordHit, RecordKind } from '../../../../contract/records.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { getQueryKey, callQueryOptions } from '../../../../platform/web/queries.ts'
import { useHasElapsed } from '../../../../platform/web/use-has-elapsed.ts'
import { addFavorite, listFavorites, listRecent, recordViewed, removeFavorite } from '../contract.ts'

const favorites = callQueryOptions(listFavorites)

/** The user's favorites, newest first. */
export const useFavorites = () => useQuery(favorites)
/** Recently viewed records, the latest first. */
export const useRecent = () => useQuery({ ...callQueryOptions(listRecent), staleTime: 0 })

/** How long content below both lists waits for them, in milliseconds. */
const WAIT = 600

/** Whether both lists are loaded or the wait is over, so that content below them does not jump. */
export const useListsSettled = (): boolean => {
  const isThere = [useFavorites(), useRecent()].every(({ isPending, failureCount }) => !isPending || failureCount > 0)
  const isLate = useHasElapsed(WAIT)
  return isThere || isLate
}

/** Whether a record is a favorite, with a function to change it. Updates optimistically. */
export const useFavorite = (record: Pick<RecordHit, 'kind' | '_id'>) => {
  const client = useQueryClient()
  const { data } = useFavorites()
  const change = useMutation({
    mutationFn: (on: boolean) => send(on ? addFavorite : removeFavorite, { params: { kind: record.kind, id: record._id } }),
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: getQueryKey(listFavorites) }),
  })
  const isFavorite = data?.some(({ kind, _id }) => kind === record.kind && _id === record._id) ?? false
  return { isKnown: data !== undefined, on: change.isPending ? change.variables : isFavorite, change: change.mutate }
}

/** Records that a record's page was viewed; failures are ignored. */
export const useRecordViewed = (kind: RecordKind, id: string): void => {
  const client = useQueryClient()
  useEffect(() => {
    send(recordViewed, { params: { kind, id } })
      .then(() => client.invalidateQueries({ queryKey: getQueryKey(listRecent) }))
      .catch(() => undefined)
  }, [client, kind, id])
}
