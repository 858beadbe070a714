import { Drawer } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowsLeftRight,
  IconCalendarQuestion,
  IconCheck,
  IconCircleCheck,
  IconClockPause,
  IconDots,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useRef, useState } from 'react'

import { createDayFormat, formatDaysAgo, formatMonthDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../../contract/deadlines.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Deadline } from '../contract.ts'
import { formatDistance } from '../rules.ts'
import { getShownDate } from './agenda.ts'
import { ConfirmDates } from './ConfirmDates.tsx'
import { useDeadlineActions } from './deadline-actions.ts'
import { getRecordAddress, getSourceAddress } from './deadline-records.ts'
import { DeadlineActions } from './DeadlineActions.tsx'
import { DeadlineDescription } from './DeadlineDescription.tsx'
import { DeadlineHistoryButton } from './DeadlineHistoryButton.tsx'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { ResponsiblePerson } from './ResponsiblePerson.tsx'
import { focusBeside } from './use-row-keys.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AgendaRow.module.css'

const formatWeekday = createDayFormat({ weekday: 'short' })

const STATE_ICONS = {
  overdue: IconAlertCircle,
  open: null,
  snoozed: IconClockPause,
  handled: IconCircleCheck,
  proposed: IconCalendarQuestion,
} as const

const isShownOverdue = (deadline: Deadline, today: string): boolean =>
  !deadline.proposed && deadline.state !== 'handled' && getShownDate(deadline) < today

/** The most prominent part of a row: the day, its distance, and the state. */
const Day = ({ deadline, today }: { deadline: Deadline; today: string }) => {
  const shown = deadline.proposed ? deadline.date : getShownDate(deadline)
  const isOverdue = isShownOverdue(deadline, today)
  const state = deadline.proposed ? 'proposed' : isOverdue ? 'overdue' : deadline.state
  const Icon = STATE_ICONS[state]
  const distance = formatDistance(shown, today)
  const words = {
    overdue: distance,
    open: `${formatWeekday(shown)}, ${distance}`,
    snoozed: `Put off, ${distance}`,
    handled: 'Handled',
    proposed: 'To confirm',
  }[state]
  return (
    <div className={layoutClasses.column}>
      <time dateTime={shown} className={`${textClasses.sectionTitle} ${textClasses.unbroken} ${classes.day}`}>
        {formatMonthDay(shown)}
        {shown.slice(0, 4) === today.slice(0, 4) ? null : (
          <span className={`${textClasses.count} ${textClasses.bodyFont}`}>, {shown.slice(0, 4)}</span>
        )}
        {deadline.proposed ? '?' : null}
      </time>
      <span className={`${layoutClasses.inlineRow} ${textClasses.detail} ${layoutClasses.gap6} ${classes.state}`} data-state={state}>
        {Icon ? <Icon size={15} stroke={2} aria-hidden /> : null}
        {words}
      </span>
    </div>
  )
}

/** Who handled it and when, and a button to undo it. */
const Handled = ({ deadline }: { deadline: Deadline }) => {
  const user = useUser()
  const { changedHere, mayAct, undo, addNote } = useDeadlineActions()
  const isHere = changedHere.has(deadline._id)
  const who = deadline.updatedBy === null || deadline.updatedBy === user?.name ? 'you' : deadline.updatedBy
  return (
    <p className={`${layoutClasses.wrappingRow} ${textClasses.caption} ${classes.done}`}>
      {isHere ? 'Handled by you just now' : `Handled by ${who} ${formatDaysAgo(deadline.updatedAt, configuration.timeZone)}`}
      {mayAct(deadline) ? (
        <span className={`${layoutClasses.inlineFlex} ${layoutClasses.gap10}`} data-print="no">
          <button
            type="button"
            className={`${textClasses.linkColor} ${textClasses.underlined} ${layoutClasses.smallTargetHeight}`}
            onClick={() => undo(deadline)}
          >
            Undo
          </button>
          <button
            type="button"
            className={`${textClasses.linkColor} ${textClasses.underlined} ${layoutClasses.smallTargetHeight}`}
            aria-label={deadline.note ? 'Change the note' : 'Add a note'}
            onClick={() => addNote(deadline)}
          >
            Note
          </button>
        </span>
      ) : null}
    </p>
  )
}

/** Buttons that make a proposed date certain. */
const Proposed = ({ deadline }: { deadline: Deadline }) => {
  const { mayAct, busyId, confirm } = useDeadlineActions()
  const root = useRef<HTMLDivElement>(null)
  const confirmDate = (date: string) => {
    focusBeside(root.current?.closest('li') ?? null)
    void confirm(deadline, date)
  }
  return mayAct(deadline) ? (
    <div ref={root} className={`${layoutClasses.rigid} ${classes.toConfirm}`}>
      <ConfirmDates dates={deadline.proposedDates} label={deadline.title} isBusy={busyId === deadline._id} onConfirm={confirmDate} />
    </div>
  ) : null
}

/** Buttons to change and delete a deadline that people added. */
const EditOwn = ({ deadline }: { deadline: Deadline }) => {
  const { mayManage, edit } = useDeadlineActions()
  return mayManage && deadline.source?.record === 'custom' ? (
    <button
      type="button"
      className={`${textClasses.linkColor} ${textClasses.underlined} ${layoutClasses.smallTargetHeight}`}
      aria-label={`Edit ${deadline.title}`}
      data-print="no"
      onClick={() => edit(deadline)}
    >
      Edit
    </button>
  ) : null
}

/** On phones it is in the action sheet, if there is one. */
const RowHistory = ({ deadline, isNarrow }: { deadline: Deadline; isNarrow: boolean }) => {
  const { mayAct } = useDeadlineActions()
  return isNarrow && mayAct(deadline) && deadline.state !== 'handled' && !deadline.proposed ? null : (
    <DeadlineHistoryButton deadline={deadline} />
  )
}

/** On phones: one main button, and the others in a bottom sheet behind three dots. */
const PhoneActions = ({ deadline }: { deadline: Deadline }) => {
  const { mayAct, mayManage, busyId, handle, putOff, assign, edit, showHistory } = useDeadlineActions()
  const [isOpen, setOpen] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  if (!mayAct(deadline)) return null
  const isAssigning = mayManage && deadline.responsible === null
  const entries = [
    ...(isAssigning ? [['Handled', handle] as const] : []),
    ['Put off', putOff] as const,
    ...(mayManage && !isAssigning ? [['Assign', assign] as const] : []),
    ...(mayManage && deadline.source?.record === 'custom' ? [['Edit', edit] as const] : []),
    ['History', showHistory] as const,
  ]
  return (
    <span className={`${layoutClasses.inlineFlex} ${layoutClasses.gap8} ${layoutClasses.pushedToEnd}`} data-print="no">
      {isAssigning ? (
        <button type="button" className={classes.phoneAction} data-unassigned onClick={() => assign(deadline)}>
          Assign
        </button>
      ) : (
        <button type="button" className={classes.phoneAction} disabled={busyId === deadline._id} onClick={() => handle(deadline)}>
          <IconCheck size={18} stroke={2} aria-hidden />
          Handled
        </button>
      )}
      <button
        ref={more}
        type="button"
        className={classes.more}
        aria-label={`More actions for ${deadline.title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconDots size={20} stroke={2} aria-hidden />
      </button>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        classNames={{ content: classes.sheetContent ?? '' }}
        title={deadline.title}
        returnFocus
      >
        <div className={`${layoutClasses.vertical} ${layoutClasses.bottomPadding8}`}>
          {entries.map(([label, act]) => (
            <button
              key={label}
              type="button"
              className={`${layoutClasses.lineAbove} ${textClasses.textColor} ${classes.entry}`}
              onClick={() => {
                setOpen(false)
                more.current?.focus()
                act(deadline)
              }}
            >
              {label}
            </button>
          ))}
          <Link {...getSourceAddress(deadline)} className={`${layoutClasses.lineAbove} ${textClasses.textColor} ${classes.entry}`}>
            {deadline.charter ? 'Open the charter' : 'Open the site'}
          </Link>
        </div>
      </Drawer>
    </span>
  )
}

interface AgendaRowProps {
  readonly deadline: Deadline
  readonly today: string
  readonly isContradiction: boolean
  readonly isNarrow: boolean
  /** The first row of the page, which Arrow Down in the search field moves to. */
  readonly isFirst: boolean
}

/** A deadline in the agenda: its date, title, source text and responsible person. */
export const AgendaRow = memo(({ deadline, today, isContradiction, isNarrow, isFirst }: AgendaRowProps) => {
  const { title, kind, charter, site, region, source, state } = deadline
  const isOverdue = isShownOverdue(deadline, today)
  const record = charter ?? site
  return (
    <li
      className={classes.row}
      data-deadline={deadline._id}
      data-handled={state === 'handled' || undefined}
      {...(isFirst ? { 'data-place': 0 } : {})}
    >
      <Day deadline={deadline} today={today} />
      <div className={`${layoutClasses.stack} ${layoutClasses.shrinkable} ${classes.text}`}>
        <span className={`${layoutClasses.toolbar} ${classes.head}`}>
          <span className={layoutClasses.inlineRow}>
            <span className={classes.icon} title={DEADLINE_KINDS[kind].name}>
              <DeadlineIcon kind={kind} state={state} isOverdue={isOverdue} size={isNarrow ? 18 : 20} />
            </span>
            <Link {...getSourceAddress(deadline)} className={`${textClasses.name} ${layoutClasses.breakable} ${classes.title}`}>
              {title}
            </Link>
          </span>
          {isContradiction ? (
            <Link
              to="/deadlines"
              search={{ view: 'sort-out' }}
              className={`${textClasses.link} ${layoutClasses.inlineRow} ${textClasses.label} ${classes.contradiction}`}
            >
              <IconArrowsLeftRight size={14} stroke={2} aria-hidden />
              Contradiction
            </Link>
          ) : null}
          <span className={`${textClasses.dimmed} ${textClasses.bodyFont} ${classes.owner}`}>
            {record ? (
              <Link {...getRecordAddress(deadline)} className={`${textClasses.link} ${layoutClasses.breakable}`}>
                {record.name}
              </Link>
            ) : null}
            {region ? <span>{region.name}</span> : null}
            {/* The title of any other one names its kind. */}
            {source?.record === 'custom' ? <span>{DEADLINE_KINDS[kind].name}</span> : null}
          </span>
        </span>
        <span className={`${layoutClasses.wrappingRow} ${textClasses.smallerFont} ${classes.read}`}>
          <DeadlineDescription deadline={deadline} isBrief={isNarrow} />
          {isNarrow ? null : <EditOwn deadline={deadline} />}
          <RowHistory deadline={deadline} isNarrow={isNarrow} />
        </span>
      </div>
      <div className={`${layoutClasses.topRow} ${layoutClasses.shrinkable} ${classes.responsible}`}>
        <ResponsiblePerson person={deadline.responsible} />
        {deadline.proposed ? (
          <Proposed deadline={deadline} />
        ) : state === 'handled' ? (
          <Handled deadline={deadline} />
        ) : isNarrow ? (
          <PhoneActions deadline={deadline} />
        ) : (
          <DeadlineActions deadline={deadline} />
        )}
      </div>
    </li>
  )
})
AgendaRow.displayName = 'AgendaRow'
