import { formatDay, formatMoment } from '../../../contract/dates.ts'
import { formatCount } from '../../../contract/format.ts'
import { invalidFields } from '../../../contract/problem.ts'
import type { Change } from '../../../features/changing/history/contract.ts'
import { formatAction, formatActor, getChangeLines, EMPTY_TEXT } from '../../../features/changing/history/rules.ts'
import type { ActivityRecord } from '../../../features/finding/activity/contract.ts'
import { listChangesOf } from '../../../features/finding/activity/queries.server.ts'
import { ACTIVITY_PARTS } from '../../exports/history.ts'
import type { Section } from '../document.ts'
import { MAX_CHANGES, PART_TEXTS } from '../rules.ts'
import type { DossierScope } from './scope.server.ts'

const CHANGE_COLUMNS = [
  { label: 'When', width: 2.1 },
  { label: 'Who', width: 2.2 },
  { label: 'Record', width: 2.4 },
  { label: 'What', width: 2.6 },
  { label: 'Before', width: 3 },
  { label: 'After', width: 3 },
] as const

const CHECK_COLUMNS = [
  { label: 'When', width: 2 },
  { label: 'Who', width: 3 },
  { label: 'Record', width: 4 },
  { label: 'What', width: 3 },
] as const

const STATE_COLUMNS = [
  { label: 'Record', width: 4 },
  { label: 'Last checked', width: 2 },
  { label: 'By', width: 3 },
] as const

const toShown = (text: string): string => (text === EMPTY_TEXT ? '' : text)
const isCheck = ({ action }: Change): boolean => action === 'check' || action === 'uncheck'

const toChangeRows = (change: Change, name: string, timeZone: string): string[][] => {
  const head = [formatMoment(change.at, timeZone), formatActor(change), name]
  const lines = getChangeLines(ACTIVITY_PARTS, change, timeZone)
  const what = formatAction(ACTIVITY_PARTS, change)
  const suggested = change.suggestedBy === null ? '' : ` (suggested by ${change.suggestedBy})`
  if (lines.length === 0) return [[...head, `${what}${suggested}`, '', '']]
  return lines.map(({ label, from, to }) => [
    ...head,
    `${what}: ${label}${suggested}`,
    change.action === 'insert' ? '' : toShown(from),
    change.action === 'delete' ? '' : toShown(to),
  ])
}

/** Every change of the period, and the checks, each as rows. Throws 422 for more changes than a dossier can have. */
export const readChanges = async (
  scope: DossierScope,
): Promise<{ readonly changes: string[][]; readonly checks: string[][]; readonly count: number }> => {
  const { present, records, period, names } = scope
  const { timeZone } = present.configuration
  const getName = (_id: string, record: ActivityRecord | undefined): string => names.get(_id) ?? record?.name ?? ''
  const changes: string[][] = []
  const checks: string[][] = []
  let count = 0
  for await (const batch of listChangesOf(present, records, period))
    for (const [change, record] of batch) {
      if (isCheck(change))
        checks.push([
          formatMoment(change.at, timeZone),
          formatActor(change),
          getName(change.record, record),
          formatAction(ACTIVITY_PARTS, change),
        ])
      else {
        count++
        changes.push(...toChangeRows(change, getName(change.record, record), timeZone))
      }
      if (changes.length > MAX_CHANGES)
        throw invalidFields([
          { path: 'from', message: `The period has more than ${formatCount(MAX_CHANGES, 'change')}. Choose a shorter one.` },
        ])
    }
  return { changes, checks, count }
}

type Read = Awaited<ReturnType<typeof readChanges>>

export const buildChanges = ({ from, to }: DossierScope, { changes, count }: Read): Section => ({
  title: PART_TEXTS.changes.title,
  intro: `${formatCount(count, 'change')} of the charter, its affair, its sites and their deadlines from ${formatDay(from)} to ${formatDay(to)}, oldest first.`,
  groups:
    changes.length === 0 ? [] : [{ blocks: [{ kind: 'table', sheet: 'Changes', columns: CHANGE_COLUMNS, rows: changes, empty: '' }] }],
  empty: 'Nothing changed in this period.',
})

export const buildChecks = ({ charter, sites, past, from, to }: DossierScope, { checks }: Read): Section => {
  const { timeZone } = past.configuration
  const toRow = (name: string, { checkedAt, checkedBy }: { checkedAt: string | null; checkedBy: string | null }): string[] => [
    name,
    checkedAt === null ? 'Never' : formatMoment(checkedAt, timeZone),
    checkedBy ?? '',
  ]
  return {
    title: PART_TEXTS.checks.title,
    intro: 'A check is someone’s statement that everything in a record is right.',
    groups: [
      {
        blocks: [
          {
            kind: 'table',
            title: 'Last checks',
            sheet: 'Last checks',
            columns: STATE_COLUMNS,
            rows: [toRow(charter.name, charter), ...sites.map((site) => toRow(site.displayName, site))],
            empty: '',
          },
          {
            kind: 'table',
            title: `Checks from ${formatDay(from)} to ${formatDay(to)}`,
            sheet: 'Checks',
            columns: CHECK_COLUMNS,
            rows: checks,
            empty: 'No checks in this period.',
          },
        ],
      },
    ],
  }
}
