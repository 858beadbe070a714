import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { splitMentions } from '../../../../contract/mentions.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Avatar } from '../../../../platform/web/kit/Avatar.tsx'
import { ConfirmDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { Comment } from '../contract.ts'
import { reloadComments, removeComment } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './Comments.module.css'

const DeleteButton = ({ comment: { _id, author, isMine } }: { comment: Comment }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <TextButton aria-haspopup="dialog" aria-label={`Delete the comment of ${author.name}`} onClick={() => setAsking(true)}>
        Delete
      </TextButton>
      {isAsking ? (
        <ConfirmDialog
          title={isMine ? 'Delete your comment?' : `Delete the comment of ${author.name}?`}
          confirmLabel="Delete"
          isDestructive
          onSend={() => removeComment(_id)}
          doneText="The comment was deleted."
          reload={reloadComments}
          onClose={() => setAsking(false)}
        >
          <p>It is removed for everyone. Emails that were sent about it stay where they are.</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

const PersonLink = ({ slug, children }: { slug: string; children: ReactNode }) => (
  <Link to="/staff/$slug" params={{ slug }} className={textClasses.quietLink}>
    {children}
  </Link>
)

/** The text of a comment, in which the people who are mentioned are links. */
const CommentText = ({ text, mentions }: Pick<Comment, 'text' | 'mentions'>) => (
  <p className={`${textClasses.preserved} ${layoutClasses.breakable}`}>
    {splitMentions(text, mentions).map((part, at) => (
      <Fragment key={at}>
        {typeof part === 'string' ? (
          part
        ) : (
          <Link to="/staff/$slug" params={{ slug: part.slug }} className={`${textClasses.link} ${textClasses.strong}`}>
            @{part.name}
          </Link>
        )}
      </Fragment>
    ))}
  </p>
)

/** A comment, with what it is about or without. */
export const CommentRow = ({ comment, about = null }: { comment: Comment; about?: ReactNode }) => {
  const { author, createdAt, isMine, isNew } = comment
  const mayDeleteAll = useCan('delete anyone’s comments')
  return (
    <li className={`${layoutClasses.topRow} ${layoutClasses.gap12} ${layoutClasses.blockPadding10} ${classes.row}`}>
      {about ? null : <Avatar name={author.name} size={36} />}
      <div className={layoutClasses.filling}>
        <div className={`${layoutClasses.toolbar} ${textClasses.smallFont}`}>
          {about ?? (
            <span className={textClasses.strong}>
              {author.slug === null ? author.name : <PersonLink slug={author.slug}>{author.name}</PersonLink>}
            </span>
          )}
          <time dateTime={createdAt} className={textClasses.dimmed}>
            {formatMoment(createdAt, configuration.timeZone)}
          </time>
          {isNew ? <span className={`${textClasses.label} ${classes.badge}`}>New</span> : null}
          {isMine || mayDeleteAll ? <DeleteButton comment={comment} /> : null}
        </div>
        <CommentText {...comment} />
      </div>
    </li>
  )
}
