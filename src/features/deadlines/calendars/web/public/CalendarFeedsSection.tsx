import { Button } from '@mantine/core'
import { IconCalendarStar, IconCalendarUser, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'

import { formatMomentDay } from '../../../../../contract/dates.ts'
import { formatCount } from '../../../../../contract/format.ts'
import { openCalendarWindow } from '../../../../../platform/web/calendar-window.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { IconRow, IconRows } from '../../../../../platform/web/kit/IconRow.tsx'
import { Section } from '../../../../../platform/web/kit/Section.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import type { Calendar } from '../../contract.ts'
import { formatAgo, formatReminder } from '../../rules.ts'
import { useCalendars } from '../queries.ts'
import { RemoveCalendarDialog } from '../RemoveCalendarDialog.tsx'
import { RenewAddress } from '../RenewAddress.tsx'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './CalendarFeedsSection.module.css'

const formatContent = ({ deadlines, reminderDays }: Calendar): string =>
  [...(deadlines === null ? [] : [formatCount(deadlines, 'deadline')]), formatReminder(reminderDays)].join(', ')

const formatUse = ({ lastUsedAt, reader }: Calendar): string =>
  lastUsedAt === null ? 'Never read yet' : `Read${reader === null ? '' : ` by ${reader}`} ${formatAgo(lastUsedAt)}`

interface FeedRowProps {
  readonly calendar: Calendar
  readonly onRenew: (() => void) | undefined
  readonly onRemove: () => void
}

const FeedRow = ({ calendar, onRenew, onRemove }: FeedRowProps) => {
  const { name, filter, createdAt, isInUse } = calendar
  return (
    <IconRow
      icon={filter.responsible === 'me' ? IconCalendarUser : IconCalendarStar}
      name={name}
      badge={isInUse ? null : 'Not in use'}
      isWarning
      lines={[[formatContent(calendar)], [`Made on ${formatMomentDay(createdAt, configuration.timeZone)} · ${formatUse(calendar)}`]]}
      actions={
        <>
          {onRenew ? (
            <Button variant="default" aria-label={`New address for ${name}`} onClick={onRenew}>
              New address
            </Button>
          ) : null}
          <Button variant="default" className={textClasses.bad} aria-label={`Remove the calendar feed ${name}`} onClick={onRemove}>
            Remove
          </Button>
        </>
      }
    />
  )
}

/** The calendar feeds of an account: the user's own with a button to create one, or for level 1 those of another account. */
export const CalendarFeedsSection = ({ account }: { account: string | null }) => {
  const isOwn = account === null
  const query = useCalendars(account)
  const [removing, setRemoving] = useState<Calendar | null>(null)
  const [renewing, setRenewing] = useState<Calendar | null>(null)
  return (
    <Section title="Calendar feeds" {...(query.data ? { count: query.data.length } : {})}>
      {isOwn ? (
        <p className={`${textClasses.detail} ${classes.about}`}>
          A feed shows deadlines in Outlook, Google or Apple and keeps them up to date. Anyone who has its address can read it, so do not
          pass it on.
        </p>
      ) : null}
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {(calendars) => (
          <>
            {calendars.length === 0 ? (
              isOwn ? null : (
                <p className={`${textClasses.detail} ${classes.about}`}>This person has no calendar feeds.</p>
              )
            ) : (
              <IconRows label="Calendar feeds">
                {calendars.map((calendar) => (
                  <FeedRow
                    key={calendar._id}
                    calendar={calendar}
                    onRenew={isOwn ? () => setRenewing(calendar) : undefined}
                    onRemove={() => setRemoving(calendar)}
                  />
                ))}
              </IconRows>
            )}
            {isOwn ? (
              <Button
                className={`${layoutClasses.topMargin16} ${classes.addFeed}`}
                data-print="no"
                variant="default"
                leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
                onClick={() => openCalendarWindow({ filter: { responsible: 'me', state: 'open' } })}
              >
                New calendar feed
              </Button>
            ) : null}
          </>
        )}
      </LoadedList>
      {removing ? <RemoveCalendarDialog calendar={removing} onClose={() => setRemoving(null)} /> : null}
      {renewing ? <RenewAddress calendar={renewing} onClose={() => setRenewing(null)} /> : null}
    </Section>
  )
}
