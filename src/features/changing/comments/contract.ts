import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byId, byUuid, id, idOrSlug, moment, text } from '../../../contract/fields.ts'
import { listMentions } from '../../../contract/mentions.ts'
import { PAGED_KINDS } from '../../../contract/records.ts'
import { requiredMultiline } from '../../../contract/text-schemas.ts'

export const MAX_COMMENT_LENGTH = 2000
const MAX_MENTIONS = 20
/** Maximum length of a list. */
export const MAX_COMMENTS = 500

/** What people comment on: a record of a kind with a page, or a suggestion. */
const CommentedKind = z.enum([...PAGED_KINDS, 'proposal'])
export type CommentedKind = z.infer<typeof CommentedKind>
const commented = z.object({ kind: CommentedKind, id: idOrSlug })

/** A new comment; `@{_id}` in its text mentions a person. */
export const NewComment = z.strictObject({
  text: requiredMultiline(MAX_COMMENT_LENGTH, 'Write a comment first').refine(
    (given) => listMentions(given).length <= MAX_MENTIONS,
    `Mention at most ${MAX_MENTIONS} people`,
  ),
})

export const Comment = z.strictObject({
  _id: id,
  /** With the names of the people in it: '@Hannah Ashworth'. */
  text: z.string(),
  mentions: z.array(z.strictObject({ _id: id, name: z.string(), slug: z.string() })),
  /** `slug` if the author is in the directory. */
  author: z.strictObject({ name: z.string(), slug: text }),
  createdAt: moment,
  isMine: z.boolean(),
  /** Whether it is for the caller, who has not seen it. */
  isNew: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

/** A comment with what it is about; without a path if that was deleted, or is not for the caller. */
export const CommentWithSubject = Comment.extend({
  about: z.strictObject({ kind: CommentedKind, _id: id, name: z.string(), path: text }),
})
export type CommentWithSubject = z.infer<typeof CommentWithSubject>

const anyone = { capability: 'browse the directory' } as const
const anyAccount = { capability: 'delete anyone’s comments', sessionOnly: true } as const

export const listComments = call('GET', '/api/comments/:kind/:id', {
  ...anyone,
  shows: ['comment'],
  summary: `The latest ${MAX_COMMENTS} comments on a record that the caller may read, or on a suggestion, oldest first.`,
  params: commented,
  response: z.array(Comment),
})

export const createComment = call('POST', '/api/comments/:kind/:id', {
  ...anyone,
  // Each call sends emails.
  rateLimit: { perMinute: 60 },
  summary:
    'Comments on a record or suggestion. `@{_id}` in the text mentions a person, who gets an email; someone who may not read it is a 422. A comment on a suggestion also goes to its sender and to everyone who commented on it.',
  params: commented,
  body: NewComment,
  response: Comment,
})

export const markCommentsSeen = call('PUT', '/api/comments/:kind/:id/seen', {
  ...anyone,
  summary: 'Marks the comments on a record or suggestion that are for the caller as seen.',
  params: commented,
  response: 'nothing',
})

export const deleteComment = call('DELETE', '/api/comments/:id', {
  ...anyone,
  summary: 'Deletes a comment, with the emails that quote it: one of the caller’s own, or any for level 1.',
  params: byId,
  response: 'nothing',
})

export const listOwnComments = call('GET', '/api/account/comments', {
  ...anyone,
  sessionOnly: true,
  summary: 'Everything that the caller wrote in comments, newest first.',
  response: z.array(CommentWithSubject),
})

export const listCommentsOfAccount = call('GET', '/api/accounts/:id/comments', {
  ...anyAccount,
  summary: 'Everything that someone wrote in comments, newest first.',
  params: byUuid,
  response: z.array(CommentWithSubject),
})

export const deleteCommentsOfAccount = call('DELETE', '/api/accounts/:id/comments', {
  ...anyAccount,
  summary: 'Deletes all comments of someone, with the emails that quote them. Responds with how many.',
  params: byUuid,
  response: z.strictObject({ deleted: z.int() }),
})
