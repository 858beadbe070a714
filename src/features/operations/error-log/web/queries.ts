import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { getQueryKey, queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { listErrors, dismissErrors, readErrors } from '../contract.ts'

/** Keeps showing the previous period while another one loads. */
export const useErrors = (days: number) =>
  useQuery({ ...callQueryOptions(listErrors, { query: { days } }), placeholderData: keepPreviousData })

export const useErrorsOfGroup = (fingerprint: string) => useQuery(callQueryOptions(readErrors, { params: { fingerprint } }))

export const useDismissErrors = () =>
  useMutation({
    mutationFn: (fingerprint: string) => send(dismissErrors, { params: { fingerprint } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: getQueryKey(listErrors) }),
    onError: (error) => showError(errorMessage(error)),
  })
