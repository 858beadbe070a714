import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, queryClient } from '../../../../platform/web/queries.ts'
import {
  type CommentedKind,
  createComment,
  deleteComment,
  listComments,
  listCommentsOfAccount,
  listOwnComments,
  markCommentsSeen,
} from '../contract.ts'

/** A record or suggestion. */
export interface CommentedRecord {
  readonly kind: CommentedKind
  readonly _id: string
}

const toInputs = ({ kind, _id }: CommentedRecord) => ({ params: { kind, id: _id } })
const toOptions = (record: CommentedRecord) => callQueryOptions(listComments, toInputs(record))

export const useComments = (record: CommentedRecord) => useQuery(toOptions(record))

export const useCreateComment = (record: CommentedRecord) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => withSignIn(() => send(createComment, { ...toInputs(record), body: { text } })),
    onSuccess: (comment) => client.setQueryData(toOptions(record).queryKey, (known = []) => [...known, comment]),
    onSettled: () => client.invalidateQueries({ queryKey: toOptions(record).queryKey }),
  })
}

export const removeComment = (_id: string) => send(deleteComment, { params: { id: _id } })

/** Reloads lists of comments, and the home page with the new ones. */
export const reloadComments = () =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => /comments|\/home/.test(String(name)) })

/** Marks the comments on a record or suggestion that are for the user as seen. */
export const markSeen = (record: CommentedRecord) => send(markCommentsSeen, toInputs(record)).then(reloadComments)

/** What an account wrote; `null` for the user's own. */
export const useCommentsOfAccount = (account: string | null) =>
  useQuery(account === null ? callQueryOptions(listOwnComments) : callQueryOptions(listCommentsOfAccount, { params: { id: account } }))
