import { formatDay } from '../../../contract/dates.ts'
import { DEADLINE_KINDS } from '../../../contract/deadlines.ts'
import { type DeadlineOutcome, listDeadlineOutcomes } from '../../../features/deadlines/deadlines/queries.server.ts'
import type { Block, Section } from '../document.ts'
import { PART_TEXTS } from '../rules.ts'
import type { DossierScope } from './scope.server.ts'

const COLUMNS = [
  { label: 'Deadline', width: 3 },
  { label: 'Due', width: 1.9, isDay: true },
  { label: 'Kind', width: 1.8 },
  { label: 'Of', width: 2.4 },
  { label: 'Outcome', width: 3 },
  { label: 'Note', width: 2.4 },
] as const

const formatOutcome = ({ deadline, outcome, handled }: DeadlineOutcome): string => {
  if (handled) return `Handled ${formatDay(handled.day)}${handled.by === null ? '' : ` by ${handled.by}`}`
  if (outcome === 'kept') return 'Handled'
  const responsible = deadline.responsible === null ? '' : `, ${deadline.responsible.name} responsible`
  if (deadline.state === 'snoozed' && deadline.snoozedUntil !== null)
    return `Put off until ${formatDay(deadline.snoozedUntil)}${responsible}`
  return `${outcome === 'missed' ? 'Not handled' : 'Open'}${responsible}`
}

const toRow = (one: DeadlineOutcome): string[] => {
  const { title, date, kind, charter, site, note } = one.deadline
  return [title, date, DEADLINE_KINDS[kind].name, site?.name ?? charter?.name ?? '', formatOutcome(one), note ?? '']
}

export const buildDeadlines = async ({ past, charter, sites, on, from, to }: DossierScope): Promise<Section> => {
  const outcomes = await listDeadlineOutcomes(past, { charter: charter._id, sites: sites.map(({ _id }) => _id) }, on)
  const isInPeriod = ({ deadline: { date } }: DeadlineOutcome): boolean => date >= from && date <= to
  const toBlock = (title: string, outcome: DeadlineOutcome['outcome'], empty: string): Block => ({
    kind: 'table',
    title,
    sheet: title,
    columns: COLUMNS,
    rows: outcomes.filter((one) => one.outcome === outcome && (outcome === 'ahead' || isInPeriod(one))).map(toRow),
    empty,
  })
  return {
    title: PART_TEXTS.deadlines.title,
    intro: `Kept and missed: those that were due from ${formatDay(from)} to ${formatDay(to)}. A deadline is kept if it was marked as handled by its day.`,
    groups: [
      {
        blocks: [
          toBlock('Missed', 'missed', 'No deadline was missed.'),
          toBlock('Kept', 'kept', 'No deadline was due and handled in the period.'),
          toBlock('Ahead', 'ahead', 'No deadline was ahead.'),
        ],
      },
    ],
  }
}
