import { useMutation, useQueryClient } from '@tanstack/react-query'

import type { BodyOf } from '../../../contract/call.ts'
import { createCheck, deleteCheck } from '../../../features/changing/checks/contract.ts'
import { type CommentWithSubject, markCommentsSeen } from '../../../features/changing/comments/contract.ts'
import { decideProposal, type Proposal } from '../../../features/changing/requests/contract.ts'
import type { Deadline } from '../../../features/deadlines/deadlines/contract.ts'
import { changeDeadline } from '../../../features/deadlines/deadlines/web/queries.ts'
import { send } from '../../../platform/web/client.ts'
import { showError } from '../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import type { Home } from '../response.ts'

/** Runs an action and reloads what is shown. */
const useAction = <T>(action: (input: T) => Promise<unknown>) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: action,
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => client.invalidateQueries(),
  })
}

type RecordToCheck = Home['checks']['first'][number]

/** Confirms everything in a record; can be undone. */
export const useHomeCheck = () => {
  const undo = useAction(({ kind, _id }: RecordToCheck) => send(deleteCheck, { params: { kind, id: _id } }))
  return useAction(async (record: RecordToCheck) => {
    await send(createCheck, { body: { kind: record.kind, _id: record._id } })
    showSuccess({ text: `Thank you. ${record.name} is checked.`, onUndo: () => undo.mutate(record) })
  })
}

export const useHandled = () =>
  useAction(async (deadline: Deadline) => {
    const changed = await changeDeadline(deadline, { state: 'handled' })
    showSuccess({
      text: `${deadline.title} is handled.`,
      ...(changed ? { onUndo: () => void changeDeadline(changed, { state: 'open' }) } : {}),
    })
  })

/** Accepts or declines a field of a suggestion, in the version that was shown. */
export const useHomeDecision = () =>
  useAction(({ proposal, body }: { readonly proposal: Proposal; readonly body: BodyOf<typeof decideProposal> }) =>
    send(decideProposal, { params: { id: proposal._id }, body, version: proposal.version }),
  )

/** Marks the comments on a record or suggestion as seen. */
export const useSeenComments = () =>
  useAction(({ about: { kind, _id } }: CommentWithSubject) => send(markCommentsSeen, { params: { kind, id: _id } }))
