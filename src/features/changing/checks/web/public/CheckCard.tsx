import { Button, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

import { isDue } from '../../../../../contract/checks.ts'
import { formatMomentDay, toIsoDay } from '../../../../../contract/dates.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { TextLink } from '../../../../../platform/web/kit/TextLink.tsx'
import { NEEDS_CONNECTION, useIsOffline } from '../../../../../platform/web/offline.ts'
import type { CheckCardProps } from '../../../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../../../platform/web/search-params.ts'
import { getToday } from '../../../../../platform/web/today.ts'
import { SuggestionsLink } from '../../../requests/web/public/Suggestions.tsx'
import { formatTimeSince } from '../../rules.ts'
import { useCheck, useCheckIntervals } from '../queries.ts'
import { useConfirmedCheck } from './use-confirmed-check.tsx'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './CheckCard.module.css'

const CheckedBy = ({ name, people }: { name: string; people: CheckCardProps['people'] }) => {
  const slugs = new Set(people?.filter((one) => one.name === name).map(({ slug }) => slug))
  const [slug] = slugs
  return slugs.size === 1 && slug !== undefined ? (
    <TextLink to="/staff/$slug" params={{ slug }}>
      {name}
    </TextLink>
  ) : (
    name
  )
}

/** When the record was last checked, and a button for the people responsible for it. Renders nothing if this kind is not checked. */
export const CheckCard = ({ kind, record, mayCheck, people, onSuggest }: CheckCardProps) => {
  const interval = useCheckIntervals()[kind]
  const { check, takeBack } = useCheck(kind, record._id)
  const [justChecked, setJustChecked] = useState<string | null>(null)
  const [now] = useState(() => new Date())
  const isOffline = useIsOffline()
  const [search, changeSearch] = useSearchParams()
  const button = useRef<HTMLButtonElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const { confirmOrCheck, dialog } = useConfirmedCheck(kind, record._id, {
    isBusy: check.isPending,
    check: () =>
      check.mutate(undefined, {
        onSuccess: (done) => {
          setJustChecked(done.checkedAt)
          requestAnimationFrame(() => undo.current?.focus())
        },
      }),
  })
  const requested = search['check']
  const isWrong = useRef(false)
  const isShown = interval !== null
  // An email links here. Opening the link changes nothing: it asks for confirmation.
  useEffect(() => {
    if (!isShown) return
    // Removes the parameter before opening the form, so that Back leads to the page.
    if (requested === undefined && isWrong.current) {
      isWrong.current = false
      onSuggest()
    }
    // Who is responsible for the record is known a moment after the page is shown.
    if (requested === undefined || (requested !== 'wrong' && !mayCheck)) return
    if (requested === 'wrong') isWrong.current = true
    else button.current?.focus()
    changeSearch({ check: undefined })
  }, [requested, isShown, mayCheck, onSuggest, changeSearch])
  if (!isShown) return null

  const { checkedAt, checkedBy } = record
  const isOld = isDue(checkedAt, interval, now)
  const { timeZone } = configuration
  const state = justChecked !== null ? 'done' : isOld ? 'due' : 'fresh'
  const isAsked = mayCheck && (isOld || checkedAt === null || toIsoDay(checkedAt, timeZone) < getToday())
  const Icon = state === 'due' ? IconAlertTriangle : IconRosetteDiscountCheck
  const runUndo = () =>
    takeBack.mutate(undefined, {
      onSuccess: () => {
        setJustChecked(null)
        requestAnimationFrame(() => button.current?.focus())
      },
    })
  return (
    <section
      className={`${layoutClasses.toolbar} ${layoutClasses.framed} ${textClasses.lines} ${classes.strip}`}
      data-state={state}
      aria-label="Last check"
      data-print="no"
    >
      <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
      <p className={`${layoutClasses.content} ${classes.text}`} role="status">
        {state === 'done' ? (
          'Checked just now by you.'
        ) : state === 'fresh' && checkedAt !== null ? (
          <>
            Last checked {formatTimeSince(checkedAt, timeZone)}{' '}
            <span className={textClasses.dimmed}>
              {checkedBy === null ? null : (
                <>
                  by <CheckedBy name={checkedBy} people={people} />{' '}
                </>
              )}
              · <time dateTime={checkedAt}>{formatMomentDay(checkedAt, timeZone)}</time>
            </span>
          </>
        ) : (
          <>
            <strong>{checkedAt === null ? 'Never checked.' : `Not checked since ${formatMomentDay(checkedAt, timeZone)}.`}</strong>{' '}
            {mayCheck ? (
              <span className={classes.question}>Is everything on this page {checkedAt === null ? '' : 'still '}right?</span>
            ) : null}
          </>
        )}
      </p>
      <SuggestionsLink kind={kind} _id={record._id} />
      {state === 'done' ? (
        <UnstyledButton
          ref={undo}
          className={`${textClasses.inheritedColor} ${classes.link}`}
          disabled={takeBack.isPending}
          onClick={runUndo}
        >
          Undo
        </UnstyledButton>
      ) : isAsked ? (
        <div className={`${layoutClasses.toolbar} ${classes.actions}`}>
          {state === 'due' ? (
            <UnstyledButton className={`${textClasses.inheritedColor} ${classes.link}`} onClick={onSuggest}>
              No, suggest changes
            </UnstyledButton>
          ) : null}
          <Button
            ref={button}
            variant="default"
            className={classes.button}
            leftSection={<IconCheck size={17} stroke={1.75} aria-hidden />}
            loading={check.isPending}
            {...(isOffline ? { disabled: true, title: NEEDS_CONNECTION } : {})}
            onClick={() => void confirmOrCheck()}
          >
            Everything is right
          </Button>
        </div>
      ) : null}
      {dialog}
    </section>
  )
}
