import ical, { escape, ICalAlarmType, ICalEventBusyStatus, ICalEventStatus, ICalEventTransparency } from 'ical-generator'

import { formatDay } from '../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../contract/deadlines.ts'
import { nextTurn } from '../../../platform/server/time-slices.ts'
import type { Deadline } from '../deadlines/contract.ts'
import { addDays } from '../deadlines/rules.ts'

/** How often calendar programs are asked to reload it. */
const REFRESH_SECONDS = 4 * 3600
const DAY_SECONDS = 86_400
const REMINDER_HOUR_SECONDS = 9 * 3600
/** The number of events written before yielding to other requests. */
const BATCH_SIZE = 200

/** Properties of the file besides its events. */
export interface CalendarFile {
  readonly name: string
  readonly reminderDays: number | null
  readonly publicUrl: string
  readonly today: string
}

/** Removes what RFC 5545 does not allow in text: control characters and unpaired surrogates. */
const clean = (text: string): string => text.toWellFormed().replaceAll(/(?![\t\r\n])\p{Cc}/gu, '')

const formatState = ({ state, date, snoozedUntil }: Deadline, today: string): string => {
  if (state === 'handled') return 'Handled'
  if (state === 'snoozed') return `Put off until ${formatDay(snoozedUntil ?? '')}`
  return date < today ? 'Overdue' : 'Open'
}

const formatOrigin = ({ source, precision }: Deadline): string[] => {
  if (!source?.text) return []
  if (source.isByHand) return [`Set by hand; the text is “${source.text}”`]
  return [`Read from “${source.text}”`, ...(precision === 'month' ? ['It names a month alone, whose last day counts'] : [])]
}

const formatSummary = ({ title, state, charter, site }: Deadline): string => {
  const prefix = state === 'handled' ? 'Handled: ' : state === 'snoozed' ? 'Put off: ' : ''
  const record = charter ?? site
  return `${prefix}${title}${record ? `: ${record.name}` : ''}`
}

const formatDescription = (deadline: Deadline, today: string): string =>
  [
    ...formatOrigin(deadline),
    `State: ${formatState(deadline, today)}`,
    deadline.responsible ? `Responsible: ${deadline.responsible.name}` : 'Nobody responsible',
    ...(deadline.note === null ? [] : [`Note: ${deadline.note}`]),
  ].join('\n')

const getPageUrl = ({ charter, site }: Deadline, publicUrl: string): string => {
  const record: Record<string, string> = charter ? { charter: charter.slug } : site ? { site: site.slug } : {}
  return `${publicUrl}/deadlines?${new URLSearchParams(record)}`
}

const writeBatch = (file: CalendarFile, deadlines: readonly Deadline[]): string => {
  const { name, reminderDays, publicUrl, today } = file
  const calendar = ical({
    // The library does not escape the name.
    name: escape(clean(name), false),
    prodId: { company: 'Homeroom', product: 'Deadlines' },
    ttl: REFRESH_SECONDS,
  })
  const { hostname } = new URL(publicUrl)
  for (const deadline of deadlines) {
    const { _id, date, kind, state, version, updatedAt } = deadline
    const changedAt = new Date(updatedAt ?? 0)
    const summary = clean(formatSummary(deadline))
    const event = calendar.createEvent({
      id: `${_id}@${hostname}`,
      sequence: version,
      // The time of the last change and not of the request, so that an unchanged calendar is an identical file.
      stamp: changedAt,
      lastModified: changedAt,
      start: date,
      end: addDays(date, 1),
      allDay: true,
      summary,
      description: clean(formatDescription(deadline, today)),
      url: getPageUrl(deadline, publicUrl),
      categories: [{ name: DEADLINE_KINDS[kind].name }],
      status: ICalEventStatus.CONFIRMED,
      transparency: ICalEventTransparency.TRANSPARENT,
      busystatus: ICalEventBusyStatus.FREE,
    })
    if (reminderDays !== null && state !== 'handled')
      event.createAlarm({
        type: ICalAlarmType.display,
        triggerBefore: reminderDays * DAY_SECONDS - REMINDER_HOUR_SECONDS,
        description: summary,
      })
  }
  return `${calendar.toString()}\r\n`
}

const END = 'END:VCALENDAR\r\n'

/** The calendar as a file (RFC 5545). */
export const writeCalendarFile = async (file: CalendarFile, deadlines: readonly Deadline[]): Promise<string> => {
  const head = writeBatch(file, []).slice(0, -END.length)
  const parts = [head]
  for (let at = 0; at < deadlines.length; at += BATCH_SIZE) {
    if (at > 0) await nextTurn()
    parts.push(writeBatch(file, deadlines.slice(at, at + BATCH_SIZE)).slice(head.length, -END.length))
  }
  return [...parts, END].join('')
}
