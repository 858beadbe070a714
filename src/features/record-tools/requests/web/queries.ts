import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { getQueryKey, queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { answerRequest, listOwnRequests, listRequests, retryRequestMail, readRequest } from '../contract.ts'
import type { RequestRecord, RequestState } from '../contract.ts'

interface RequestFilter {
  readonly state?: RequestState | undefined
  readonly kind?: RequestRecord['kind'] | undefined
  readonly q?: string | undefined
}

/** Requests for those who answer them; while others are on their way, those before stay. */
export const useRequests = ({ state, kind, q }: RequestFilter) =>
  useQuery({
    ...callQueryOptions(listRequests, { query: { ...(state ? { state } : {}), ...(kind ? { kind } : {}), ...(q ? { q } : {}) } }),
    placeholderData: keepPreviousData,
  })

export const useOwnRequests = () => useQuery(callQueryOptions(listOwnRequests))
export const useRequest = (id: string) => useQuery(callQueryOptions(readRequest, { params: { id } }))

/** Every list and every single request is asked for again. */
export const invalidateRequests = (): void => {
  for (const call of [listRequests, listOwnRequests, readRequest]) void queryClient.invalidateQueries({ queryKey: getQueryKey(call) })
}

export interface Answer {
  readonly state: RequestState
  readonly word: string | null
}

/** Answers a request over the version that was read; afterwards it is loaded again, because someone else may have answered it. */
export const useAnswer = ({ _id, version }: RequestRecord) =>
  useMutation({
    mutationFn: (answer: Answer) => withSignIn(() => send(answerRequest, { params: { id: _id }, body: answer, version })),
    onSettled: invalidateRequests,
  })

export const useRetryMail = ({ _id }: RequestRecord) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(retryRequestMail, { params: { id: _id } })),
    onSettled: invalidateRequests,
  })
