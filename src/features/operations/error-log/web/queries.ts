import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { getQueryKey, queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { listErrors, dismissErrors, readErrors } from '../contract.ts'

/** Errors of the last days in groups; until another length is there, the one before it stays. */
export const useErrors = (days: number) =>
  useQuery({ ...callQueryOptions(listErrors, { query: { days } }), placeholderData: keepPreviousData })

/** The last errors of a group. */
export const useErrorsOfGroup = (fingerprint: string) => useQuery(callQueryOptions(readErrors, { params: { fingerprint } }))

/** Puts a group aside. */
export const useDismissErrors = () =>
  useMutation({
    mutationFn: (fingerprint: string) => send(dismissErrors, { params: { fingerprint } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: getQueryKey(listErrors) }),
    onError: (error) => showError(errorMessage(error)),
  })
