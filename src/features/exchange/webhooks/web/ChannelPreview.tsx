import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'

import { send } from '../../../../platform/web/client.ts'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { getQueryKey } from '../../../../platform/web/queries.ts'
import { type Message, previewMessages } from '../contract.ts'
import { type ChannelFormat, type EventType, FORMAT_LABELS, formatEvents, QUIET_MINUTES, type WebhookContent } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './WebhookFields.module.css'

const ABOUT: Readonly<Record<string, string>> = {
  quiet: `Gathered for ${QUIET_MINUTES} minutes`,
  summary: 'Weekly summary',
  overdue: 'Overdue deadlines',
}

/** The texts of a message, in the order in which both programs show them. */
export const MessageCard = ({ message: { title, intro, facts, groups, more, button } }: { message: Message }) => (
  <div className={`${layoutClasses.card} ${layoutClasses.breakable} ${layoutClasses.grid} ${classes.message}`}>
    <p className={textClasses.sectionTitle}>{title}</p>
    {intro.map((line, at) => (
      <p key={at}>{line}</p>
    ))}
    {facts.map(({ label, from, to }, at) => (
      <div key={at}>
        <p className={textClasses.hint}>{label}</p>
        <p>
          {from === undefined ? null : <span className={textClasses.dimmed}>{from}</span>}
          {from === undefined || to === undefined ? null : <span className={textClasses.dimmed}>{' → '}</span>}
          {to}
        </p>
      </div>
    ))}
    {groups.map((group, at) => (
      <Fragment key={at}>
        {group.title === null ? null : <p className={textClasses.strong}>{group.title}</p>}
        {group.rows.map((row, of) => (
          <div key={of}>
            <p className={`${textClasses.strong} ${textClasses.linkColor}`}>{row.title}</p>
            {row.details.map((detail, line) => (
              <p key={line} className={textClasses.hint}>
                {detail}
              </p>
            ))}
          </div>
        ))}
      </Fragment>
    ))}
    {more === 0 ? null : <p className={textClasses.hint}>and {more.toLocaleString('en-US')} more</p>}
    <p className={`${textClasses.strong} ${textClasses.linkColor}`}>{button.text}</p>
  </div>
)

/** What a channel will show: the messages of the last event of each chosen type. */
export const ChannelPreview = ({ values }: { values: WebhookContent & { readonly format: ChannelFormat } }) => {
  const { format, events, quiet, summary, overdue, affairs } = values
  const body = { format, events: events as EventType[], quiet, summary, overdue, affairs }
  const isEmpty = events.length === 0 && !summary && !overdue
  const query = useQuery({
    queryKey: [...getQueryKey(previewMessages), body],
    queryFn: ({ signal }) => send(previewMessages, { body, signal }),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
  })
  if (isEmpty) return <p className={textClasses.hint}>Choose events to see their messages.</p>
  return (
    <LoadedList query={query} skeleton={<RowSkeleton />}>
      {(previews) => (
        <ul className={layoutClasses.stack} aria-label={`Messages in ${FORMAT_LABELS[format]}`}>
          {previews.map(({ about, message }) => (
            <li key={about}>
              <p className={`${textClasses.caption} ${layoutClasses.bottomMargin4}`}>{ABOUT[about] ?? formatEvents([about])}</p>
              {message === null ? (
                <p className={textClasses.hint}>
                  {ABOUT[about] === undefined ? 'This has not happened lately.' : 'No deadlines: nothing would be sent.'}
                </p>
              ) : (
                <MessageCard message={message} />
              )}
            </li>
          ))}
        </ul>
      )}
    </LoadedList>
  )
}
