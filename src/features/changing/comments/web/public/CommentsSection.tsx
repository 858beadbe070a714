import { IconMessage } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

import { formatCount } from '../../../../../contract/format.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { CommentRow } from '../CommentRow.tsx'
import { Composer, type MentionPicker } from '../Composer.tsx'
import { type CommentedRecord, markSeen, useComments } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from '../Comments.module.css'

const ANCHOR = 'comments'

/** '3 comments', in the head of a page; leads to them. */
export const CommentsLink = (record: CommentedRecord) => {
  const { data = [] } = useComments(record)
  return data.length === 0 ? null : (
    <a href={`#${ANCHOR}`} className={`${layoutClasses.inlineRow} ${textClasses.link}`} data-print="no">
      <IconMessage size={15} stroke={1.75} aria-hidden />
      {formatCount(data.length, 'comment')}
    </a>
  )
}

/** Scrolls to the comments if the address names them, and marks those for the user as seen once they are on the screen. */
const useSeen = (record: CommentedRecord, isLoaded: boolean, hasNew: boolean) => {
  const list = useRef<HTMLDivElement>(null)
  const { kind, _id } = record
  useEffect(() => {
    if (isLoaded && window.location.hash === `#${ANCHOR}`) list.current?.scrollIntoView()
  }, [isLoaded])
  useEffect(() => {
    if (!list.current || !hasNew) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      // They stay new on the home page.
      markSeen({ kind, _id }).catch(() => undefined)
    })
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [kind, _id, hasNew])
  return list
}

/** The comments on a record or suggestion, and the field for a new one. */
export const CommentsSection = ({ PersonPicker, ...record }: CommentedRecord & { PersonPicker: MentionPicker }) => {
  const { data, error } = useComments(record)
  const list = useSeen(record, data !== undefined, data?.some(({ isNew }) => isNew) ?? false)
  return (
    <div
      ref={list}
      id={ANCHOR}
      className={`${layoutClasses.topMargin20} ${classes.comments}`}
      data-print={data?.length === 0 ? 'no' : undefined}
    >
      <Section title="Comments" {...(data && data.length > 0 ? { count: data.length } : {})}>
        {error && !data ? <p role="alert">{errorMessage(error)}</p> : null}
        {data && data.length > 0 ? (
          <ul aria-label="Comments">
            {data.map((comment) => (
              <CommentRow key={comment._id} comment={comment} />
            ))}
          </ul>
        ) : null}
        <Composer
          key={`${record.kind} ${record._id}`}
          record={record}
          PersonPicker={PersonPicker}
          audience={
            record.kind === 'proposal'
              ? 'The sender, everyone who can decide on this suggestion and everyone who commented can read it.'
              : 'Everyone who can open this page can read it.'
          }
        />
      </Section>
    </div>
  )
}
