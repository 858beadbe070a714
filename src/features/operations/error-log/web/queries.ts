import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import { showError } from '../../../../platform/web/banner.ts'
import { send } from '../../../../platform/web/client.ts'
import { sayFailure } from '../../../../platform/web/failures.ts'
import { keyOf, queryClient, reading } from '../../../../platform/web/queries.ts'
import { listErrors, dismissErrors, readErrors } from '../contract.ts'

/** Keeps showing the previous period while another one loads. */
export const useErrors = (days: number) => useQuery({ ...reading(listErrors, { query: { days } }), placeholderData: keepPreviousData })

export const useErrorsOfGroup = (fingerprint: string) => useQuery(reading(readErrors, { params: { fingerprint } }))

export const useDismissErrors = () =>
  useMutation({
    mutationFn: (fingerprint: string) => send(dismissErrors, { params: { fingerprint } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(listErrors) }),
    onError: (error) => showError(sayFailure(error)),
  })
