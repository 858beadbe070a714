import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { showError } from '../../../../platform/web/banner.ts'
import { send } from '../../../../platform/web/client.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { keyOf, queryClient, reading } from '../../../../platform/web/queries.ts'
import { listErrors, dismissErrors, readErrors } from '../contract.ts'

/** Errors of the last days in groups; until another length is there, the one before it stays. */
export const useErrors = (days: number) => useQuery({ ...reading(listErrors, { query: { days } }), placeholderData: keepPreviousData })

/** The last errors of a group. */
export const useErrorsOfGroup = (fingerprint: string) => useQuery(reading(readErrors, { params: { fingerprint } }))

/** Puts a group aside. */
export const useDismissErrors = () =>
  useMutation({
    mutationFn: (fingerprint: string) => send(dismissErrors, { params: { fingerprint } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(listErrors) }),
    onError: (error) => showError(sayFailure(error)),
  })
