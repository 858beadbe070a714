import { Button } from '@mantine/core'
import { IconArrowRight, IconBuilding, IconCheck, IconClock, IconLifebuoy, IconMailExclamation, IconPencilPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'

import { formatDaysAgo, toIsoDay, DAY_MS } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { DiffText } from '../../../../platform/web/form/DiffText.tsx'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import { truncateText } from '../../history/rules.ts'
import type { Proposal, RequestRecord } from '../contract.ts'
import { formatSender, formatTitle, formatMailProblem, hasVisibleMailProblem, REQUEST_KIND_LABELS } from '../rules.ts'
import { canAcceptInList, formatField, formatOutcomes, isChangedSince, listFields } from './decision.ts'
import { acceptFromList, useIsAccepted } from './queries.ts'
import { StateBadge } from './StateBadge.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestsPage.module.css'

interface RequestRowProps {
  request: RequestRecord
  /** Set if it suggests changes field by field. */
  proposal: Proposal | undefined
  /** Whether this is a list of the user's own requests, which does not repeat the sender. */
  isOwn: boolean
}

/** From this day on, the waiting time is shown in amber. */
const LONG_DAYS = 7
/** The maximum length of a suggested value. It is truncated here, because a highlight clipped by its box would overlap the lines below. */
const MAX_OWN_LENGTH = 100

const countDays = (since: string): number => {
  const day = (moment: string | Date) => Date.parse(toIsoDay(moment, configuration.timeZone))
  return Math.round((day(new Date()) - day(since)) / DAY_MS)
}
const formatDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

/** How long an open request has been waiting. */
const Waiting = ({ since }: { since: string }) => {
  const days = countDays(since)
  const isLong = days >= LONG_DAYS
  return (
    <span
      className={`${layoutClasses.inlineRow} ${textClasses.caption} ${textClasses.unbroken} ${layoutClasses.gap6} ${classes.waiting}`}
      data-long={isLong || undefined}
    >
      <IconClock size={16} stroke={1.75} aria-hidden />
      {isLong ? `Waiting ${formatDays(days)}` : days === 0 ? 'Open today' : `Open ${formatDays(days)}`}
    </span>
  )
}

/** The suggestion: the change itself if it is a single one, otherwise its fields. */
const SuggestedText = ({ fields }: Pick<Proposal, 'fields'>) => {
  const [field, another] = fields
  if (!field || another)
    return <p className={`${textClasses.twoLines} ${textClasses.lines}`}>{formatOutcomes(fields) ?? listFields(fields)}</p>
  const { before, present, suggested } = formatField(field)
  const now = field.state === 'open' ? present : before
  return (
    <p className={textClasses.lines}>
      {field.label}: <span className={textClasses.dimmed}>{truncateText(now)}</span>{' '}
      <IconArrowRight size={14} stroke={1.75} aria-label="to" />{' '}
      <DiffText text={suggested} other={now} isClipped maxOwnLength={MAX_OWN_LENGTH} />
    </p>
  )
}

const Remarks = ({ fields }: Pick<Proposal, 'fields'>) => {
  const contested = fields.filter(({ rivals }) => rivals.length > 0)
  return (
    <>
      {contested.length > 0 ? (
        <span className={textClasses.wait}>
          {Math.max(...contested.map(({ rivals }) => rivals.length)) + 1} people suggested {listFields(contested)}
        </span>
      ) : null}
      {fields.some(isChangedSince) ? <span className={textClasses.wait}>changed since it was sent</span> : null}
    </>
  )
}

/** Accepts a suggestion with one simple field from the list. */
const AcceptButton = ({ proposal }: { proposal: Proposal }) => (
  <Button
    variant="default"
    size="compact-md"
    className={classes.accept}
    leftSection={<IconCheck size={15} stroke={2} aria-hidden />}
    aria-label={`Accept ${listFields(proposal.fields)}, ${proposal.record.name}`}
    onClick={() => acceptFromList(proposal)}
  >
    Accept
  </Button>
)

/** One request in a list; suggestions open on a separate page, others in a drawer with its own URL. */
export const RequestRow = memo(({ request, proposal, isOwn }: RequestRowProps) => {
  const { _id, kind, state, text, createdAt, word, openFields } = request
  const isSuggestion = openFields !== null
  const Icon = isSuggestion ? IconPencilPlus : kind === 'change' ? IconBuilding : IconLifebuoy
  const sender = proposal?.sender.person?.roles[0]
  const isAccepted = useIsAccepted(_id)
  const canAccept = proposal?.canDecide && !isOwn && !isAccepted && canAcceptInList(proposal.fields)
  return (
    <li className={`${layoutClasses.covered} ${layoutClasses.blockPadding14} ${layoutClasses.lineAbove} ${classes.row}`}>
      <span className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.notOnPhones} ${classes.icon}`}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={layoutClasses.content}>
        {isSuggestion ? (
          <Link
            to="/requests/$id"
            params={{ id: _id }}
            className={`${layoutClasses.covering} ${textClasses.lines} ${textClasses.strong} ${textClasses.textColor} ${classes.name}`}
            data-row-link
          >
            {proposal?.record.name ?? formatTitle(request)}
          </Link>
        ) : (
          <Link
            to="."
            search={(before: SearchParams) => ({ ...before, request: _id })}
            replace
            resetScroll={false}
            className={`${layoutClasses.covering} ${textClasses.lines} ${textClasses.strong} ${textClasses.textColor} ${classes.name}`}
            aria-haspopup="dialog"
            data-row-link
          >
            {formatTitle(request)}
          </Link>
        )}
        {proposal ? <SuggestedText fields={proposal.fields} /> : <p className={`${textClasses.twoLines} ${textClasses.lines}`}>{text}</p>}
        <p className={`${textClasses.note} ${textClasses.lines} ${classes.detail}`}>
          <span>{isSuggestion ? 'Suggestion' : REQUEST_KIND_LABELS[kind]}</span>
          {isOwn ? null : <span>{[formatSender(request), sender].filter(Boolean).join(', ')}</span>}
          <span>{formatDaysAgo(createdAt, configuration.timeZone)}</span>
          {proposal ? <Remarks fields={proposal.fields} /> : null}
        </p>
        {word ? <p className={`${textClasses.note} ${textClasses.lines} ${textClasses.textColor}`}>“{word}”</p> : null}
      </div>
      <div className={`${layoutClasses.stack} ${layoutClasses.alignEnd} ${layoutClasses.gap6} ${classes.state}`}>
        {state !== 'open' || isAccepted ? <StateBadge state={isAccepted ? 'done' : state} /> : <Waiting since={createdAt} />}
        {canAccept ? <AcceptButton proposal={proposal} /> : null}
        {!isOwn && hasVisibleMailProblem(request) ? (
          <span className={`${layoutClasses.inlineRow} ${textClasses.label} ${textClasses.bad} ${layoutClasses.gap4}`}>
            <IconMailExclamation size={16} stroke={1.75} aria-hidden /> {formatMailProblem(request)}
          </span>
        ) : null}
      </div>
    </li>
  )
})
