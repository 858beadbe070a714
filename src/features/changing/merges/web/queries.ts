import { useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { mergeRecords, previewMerge } from '../contract.ts'

/** What a merge would do. Others may save in the meantime, so it is requested on every visit. */
export const useMergePreview = (body: BodyOf<typeof previewMerge>) =>
  useQuery({
    queryKey: [...getQueryKey(previewMerge), body],
    queryFn: ({ signal }) => send(previewMerge, { body, signal }),
    refetchOnMount: 'always',
    meta: { shows: [body.kind] },
  })

export const useMerge = (onDone: (changeset: string) => void) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof mergeRecords>) => withSignIn(() => send(mergeRecords, { body })),
    onSuccess: ({ changeset }) => {
      onDone(changeset._id)
      void queryClient.invalidateQueries()
    },
    onError: (error) => {
      showError(errorMessage(error))
      void queryClient.invalidateQueries({ queryKey: getQueryKey(previewMerge) })
    },
  })
