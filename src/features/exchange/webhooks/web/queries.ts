import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import {
  type Delivery,
  listDeliveries,
  listWebhooks,
  readWebhook,
  replayDelivery,
  sendTestEvent,
  updateWebhook,
  type Webhook,
} from '../contract.ts'
import { MAX_DELIVERIES } from '../rules.ts'

/** Deliveries change without user action. */
const REFRESH_MS = 3000

export const useWebhooks = () => useQuery({ ...callQueryOptions(listWebhooks), staleTime: 0 })

export const useWebhook = (id: string) =>
  useQuery({ ...callQueryOptions(readWebhook, { params: { id } }), staleTime: 0, refetchInterval: REFRESH_MS })

export const useDeliveries = (id: string, state: Delivery['state'] | undefined) =>
  useInfiniteQuery({
    queryKey: [...getQueryKey(listDeliveries), id, state],
    queryFn: ({ pageParam, signal }) =>
      send(listDeliveries, {
        params: { id },
        query: { ...(state === undefined ? {} : { state }), ...(pageParam === undefined ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < MAX_DELIVERIES ? undefined : last.at(-1)?._id),
    staleTime: 0,
    // While someone views older pages, the list does not refresh under them.
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : REFRESH_MS),
  })

export const reloadWebhooks = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [call] }) => typeof call === 'string' && call.includes('/api/webhooks') })

export const useTestEvent = (id: string) =>
  useMutation({
    mutationFn: () => send(sendTestEvent, { params: { id } }),
    onSuccess: () => {
      reloadWebhooks()
      showSuccess({ text: 'The test is being sent. Its delivery is at the top of the list.' })
    },
    onError: (error) => showError(errorMessage(error)),
  })

/** Pauses a webhook, or turns it on. */
export const useWebhookState = ({ _id: id, version }: Webhook) =>
  useMutation({
    mutationFn: (state: 'active' | 'paused') => send(updateWebhook, { params: { id }, body: { state }, version }),
    onSuccess: reloadWebhooks,
    onError: (error) => {
      reloadWebhooks()
      showError(errorMessage(error))
    },
  })

export const useReplay = (id: string) =>
  useMutation({
    mutationFn: (delivery: number) => send(replayDelivery, { params: { id, delivery } }),
    onSuccess: reloadWebhooks,
    onError: (error) => showError(errorMessage(error)),
  })
