import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { formatMoment } from '../../../../../contract/dates.ts'
import { send } from '../../../../../platform/web/client.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { saveFile } from '../../../../../platform/web/files.ts'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { ConfirmDialog } from '../../../../../platform/web/kit/SendingDialog.tsx'
import { ShowMore } from '../../../../../platform/web/kit/TextButton.tsx'
import { type CommentWithSubject, deleteCommentsOfAccount } from '../../contract.ts'
import { CommentRow } from '../CommentRow.tsx'
import { reloadComments, useCommentsOfAccount } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'

const STEP = 5

const toFile = (comments: readonly CommentWithSubject[]): string =>
  comments
    .map(
      ({ createdAt, about, text }) =>
        `${formatMoment(createdAt, configuration.timeZone)}, ${about.name}\r\n${text.replaceAll('\n', '\r\n')}\r\n`,
    )
    .join('\r\n')

const DeleteAllButton = ({ account, name, count }: { account: string; name: string; count: number }) => {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" className={textClasses.bad} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Delete All
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Delete all comments of ${name}?`}
          confirmLabel="Delete All"
          isDestructive
          onSend={() => send(deleteCommentsOfAccount, { params: { id: account } })}
          doneText={`The comments of ${name} were deleted.`}
          reload={reloadComments}
          onClose={() => setAsking(false)}
        >
          <p>
            {count === 1 ? 'The comment is' : `All ${count.toLocaleString('en-US')} comments are`} removed for everyone. This cannot be
            undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** Everything that someone wrote in comments, as a file too; nothing if there is none. `account` is null for the user. */
export const AccountComments = ({ account, name }: { account: string | null; name: string }) => {
  const { data: comments = [] } = useCommentsOfAccount(account)
  const [shown, setShown] = useState(STEP)
  if (comments.length === 0) return null
  return (
    <Section title="Comments" count={comments.length}>
      <ul aria-label="Comments">
        {comments.slice(0, shown).map((comment) => (
          <CommentRow
            key={comment._id}
            comment={comment}
            about={
              comment.about.path === null ? (
                <span className={textClasses.strong}>{comment.about.name}</span>
              ) : (
                <Link to={comment.about.path} hash="comments" className={textClasses.name}>
                  {comment.about.name}
                </Link>
              )
            }
          />
        ))}
      </ul>
      <ShowMore left={comments.length - shown} step={STEP} onShow={() => setShown(shown + STEP)} />
      <div className={`${layoutClasses.toolbar} ${layoutClasses.topMargin8}`}>
        <Button
          variant="default"
          onClick={() => saveFile({ name: `Comments of ${name}.txt`, file: new Blob([toFile(comments)], { type: 'text/plain' }) })}
        >
          Download
        </Button>
        {account === null ? null : <DeleteAllButton account={account} name={name} count={comments.length} />}
      </div>
    </Section>
  )
}
