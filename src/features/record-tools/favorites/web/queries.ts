import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import type { RecordHit, RecordKind } from '../../../../platform/contract/records.ts'
import { showError } from '../../../../platform/web/banner.ts'
import { send } from '../../../../platform/web/client.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { keyOf, reading } from '../../../../platform/web/queries.ts'
import { addFavorite, listFavorites, listRecent, recordViewed, removeFavorite } from '../contract.ts'

const favorites = reading(listFavorites)

/** One's favourites, the newest first. */
export const useFavorites = () => useQuery(favorites)
/** What one opened last, the latest first. */
export const useRecent = () => useQuery({ ...reading(listRecent), staleTime: 0 })

/** Milliseconds that what stands below both lists waits for them. */
const WAIT = 600

/** Whether both lists are there, or have been waited for long enough: what stands below them would jump when they come. */
export const useListsSettled = (): boolean => {
  const isThere = [useFavorites(), useRecent()].every(({ isPending, failureCount }) => !isPending || failureCount > 0)
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), WAIT)
    return () => clearTimeout(timer)
  }, [])
  return isThere || isLate
}

/** Whether a record is a favourite, and how to make it one or not. The star turns at once; it turns back where the change failed. */
export const useFavorite = (record: Pick<RecordHit, 'kind' | '_id'>) => {
  const client = useQueryClient()
  const { data } = useFavorites()
  const change = useMutation({
    mutationFn: (on: boolean) => send(on ? addFavorite : removeFavorite, { params: { kind: record.kind, id: record._id } }),
    onError: (error) => showError(sayFailure(error)),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(listFavorites) }),
  })
  const kept = data?.some(({ kind, _id }) => kind === record.kind && _id === record._id) ?? false
  return { isKnown: data !== undefined, on: change.isPending ? change.variables : kept, change: change.mutate }
}

/** Notes that a record's page is open. Nothing waits for it, and where it fails only the list of what was opened last is poorer. */
export const useRecordViewed = (kind: RecordKind, id: string): void => {
  const client = useQueryClient()
  useEffect(() => {
    send(recordViewed, { params: { kind, id } })
      .then(() => client.invalidateQueries({ queryKey: keyOf(listRecent) }))
      .catch(() => undefined)
  }, [client, kind, id])
}
