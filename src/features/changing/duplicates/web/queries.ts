import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../../contract/call.ts'
import type { DuplicateKind } from '../../../../contract/records.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { dismissDuplicate, findDuplicates, listDuplicates } from '../contract.ts'

export const useDuplicates = () => useQuery({ ...callQueryOptions(listDuplicates), refetchOnMount: 'always' })

/** Remembers that two records are not the same. */
export const useDismissal = (onDone?: () => void) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof dismissDuplicate>) => withSignIn(() => send(dismissDuplicate, { body })),
    onSuccess: onDone,
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: getQueryKey(listDuplicates) }),
  })

/** The records that a new one would probably duplicate; none while nothing is typed. */
export const useFoundDuplicates = (kind: DuplicateKind, values: Readonly<Record<string, unknown>>) =>
  useQuery({
    queryKey: [...getQueryKey(findDuplicates), kind, values],
    queryFn: ({ signal }) => send(findDuplicates, { body: { kind, values }, signal }),
    enabled: Object.keys(values).length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
