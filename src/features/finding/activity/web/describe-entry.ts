import { formatDay, toIsoDay, DAY_MS } from '../../../../contract/dates.ts'
import { type Noun, formatCount } from '../../../../contract/format.ts'
import { type HistoryParts } from '../../../../contract/history.ts'
import { RecordKind, getRecordPath, RECORD_KINDS, RECORD_NOUNS } from '../../../../contract/records.ts'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import { formatAction, getChangeLines, getPartName } from '../../../changing/history/rules.ts'
import type { ActivityChange, ActivityEntry, ActivityRecord } from '../contract.ts'
import type { ActivityRecordKind } from '../rules.ts'

const KIND_NOUNS: Readonly<Record<ActivityRecordKind, Noun>> = {
  ...RECORD_NOUNS,
  role: ['role', 'roles'],
  program_type: ['program type', 'program types'],
  deadline: ['deadline', 'deadlines'],
  permission: ['administrator', 'administrators'],
  setting: ['setting', 'settings'],
  request: ['request', 'requests'],
}

const VERBS: Readonly<Record<ActivityChange['action'], string>> = {
  insert: 'added',
  update: 'changed',
  delete: 'removed',
  check: 'checked',
  uncheck: 'undid the check of',
}

/** An undo removes what was added, and restores what was removed. */
const UNDO_VERBS: typeof VERBS = { ...VERBS, insert: 'restored', update: 'undid changes of' }

const ENDS: Readonly<Record<NonNullable<ActivityEntry['changeset']>['kind'], string>> = {
  sheet: ' from Excel',
  bulk: '',
  planned: ', as planned',
  undo: ' in an undo',
  merge: ', in a merge',
  import: ' from a file',
}

/** 'changed 11 sites and added 1 person from Excel'. */
const describeMany = ({ counts, changeset }: ActivityEntry): string => {
  const verbs = changeset?.kind === 'undo' ? UNDO_VERBS : VERBS
  const parts = counts.map(({ kind, action, records }, at) =>
    [counts[at - 1]?.action === action ? '' : `${verbs[action]} `, formatCount(records, KIND_NOUNS[kind])].join(''),
  )
  const words = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
  const isChange = verbs === UNDO_VERBS && counts.every(({ action }) => action === 'update')
  return `${words}${changeset && !isChange ? ENDS[changeset.kind] : ''}`
}

/** The action, before the name of the record if there is only one: 'changed the SIS site of'. */
export interface Sentence {
  readonly verb: string
  readonly record: ActivityRecord | undefined
  /** After the name. */
  readonly end: string
}

const REQUEST_VERBS: Readonly<Record<string, string>> = { done: 'answered', declined: 'declined', open: 'reopened' }

const describeRequest = ({ act, counts, changes }: ActivityEntry): string => {
  const what = act === 'suggestion' ? 'suggested changes for' : 'a request about'
  const first = changes.find(({ action }) => action === 'insert')
  const count = first?.fields.find(({ field }) => field === 'openFields')?.to
  if (counts[0]?.action === 'insert' && act === 'suggestion')
    return typeof count !== 'number' ? 'suggested changes for' : count === 1 ? 'suggested a change for' : `suggested ${count} changes for`
  if (counts[0]?.action === 'insert') return 'sent a request about'
  const state = changes.flatMap(({ fields }) => fields).find(({ field }) => field === 'state')?.to
  return `${(typeof state === 'string' ? REQUEST_VERBS[state] : undefined) ?? 'changed'} ${what}`
}

const describePermission = (action: ActivityChange['action']): readonly [verb: string, end: string] =>
  action === 'insert'
    ? ['made', ' an administrator']
    : action === 'delete'
      ? ['removed', ' as administrator']
      : ['changed the access of', '']

/** The sentence for an entry. */
export const describeEntry = (parts: HistoryParts, entry: ActivityEntry): Sentence => {
  const [first] = entry.counts
  const count = entry.counts.reduce((sum, { records }) => sum + records, 0)
  const [record] = entry.records
  if (!first || count > 1 || !record) return { verb: describeMany(entry), record: undefined, end: '' }
  const end = entry.changeset ? ENDS[entry.changeset.kind] : ''
  if (entry.changeset?.kind === 'undo') return { verb: UNDO_VERBS[first.action], record, end: first.action === 'update' ? '' : end }
  if (record.kind === 'request') return { verb: describeRequest(entry), record, end: '' }
  if (record.kind === 'permission') {
    const [verb, end] = describePermission(first.action)
    return { verb, record, end }
  }
  const suggested = entry.changes.filter(({ suggestedBy }) => suggestedBy !== null)
  if (suggested.length > 0 && suggested.length === entry.changeCount) {
    const values = suggested.reduce((sum, { fields }) => sum + fields.length, 0)
    return { verb: values === 1 ? 'accepted a change of' : 'accepted changes of', record, end }
  }
  const [change, ...others] = entry.changes
  const isOneThing =
    change !== undefined &&
    entry.changeCount === entry.changes.length &&
    others.every(({ part, title, action }) => part === change.part && title === change.title && action === change.action)
  if (isOneThing && change.part !== record.kind)
    return { verb: `${formatAction(parts, change)} ${change.part === 'site_person' ? 'at' : 'of'}`, record, end }
  const kind = RecordKind.safeParse(record.kind).success ? '' : ` the ${KIND_NOUNS[record.kind][0]}`
  return { verb: `${VERBS[first.action]}${kind}${record.kind === 'charter_affair' ? ' of' : ''}`, record, end }
}

/** One value that an entry changed, from its first to its last change. */
export interface EntryLine {
  readonly key: string
  /** The record's name, if the entry has several records. */
  readonly record: string | null
  readonly label: string
  readonly from: string | null
  readonly to: string | null
}

/** The values that an entry changed; a value that changed twice is one line. */
export const listEntryLines = (parts: HistoryParts, entry: ActivityEntry, timeZone: string): EntryLine[] => {
  const names = new Map(entry.records.map(({ _id, name }) => [_id, name]))
  const isOfMany = entry.records.length > 1
  const lines = new Map<string, EntryLine>()
  for (const change of entry.changes.toReversed()) {
    const { action, part, title, record } = change
    // A request has its own text, and its result is part of the sentence.
    if (action === 'check' || action === 'uncheck' || part === 'request') continue
    const isNamed = !isOfMany && part === entry.records[0]?.kind
    for (const { field, label, from, to } of getChangeLines(parts, change, timeZone)) {
      const key = JSON.stringify([record, part, title, field])
      const known = lines.get(key)
      lines.set(key, {
        key,
        record: isOfMany ? (names.get(record) ?? null) : null,
        label: isNamed || title === null || action === 'update' ? label : `${getPartName(parts, part, title)}, ${label}`,
        from: action === 'insert' ? null : (known?.from ?? from),
        to: action === 'delete' ? null : to,
      })
    }
    if (action !== 'update' && title !== null && (part === 'site_person' || part === 'site_program_type'))
      lines.set(JSON.stringify([record, part, title]), {
        key: JSON.stringify([record, part, title]),
        record: isOfMany ? (names.get(record) ?? null) : null,
        label: formatAction(parts, change),
        from: null,
        to: null,
      })
  }
  return [...lines.values()].filter(({ from, to }) => from === null || from !== to)
}

/** The text of a sent request, or of its answer. */
export const getRequestText = ({ changes }: ActivityEntry): string | null => {
  const request = changes.find(({ part }) => part === 'request')
  const text = request?.fields.find(({ field }) => field === (request.action === 'insert' ? 'text' : 'word'))?.to
  return typeof text === 'string' && text !== '' ? text : null
}

/** A page of the app with search parameters. */
export interface PageLink {
  readonly to: string
  readonly search?: SearchParams
}

/** The page of a record; undefined if it has none. */
export const getActivityLink = (
  { kind, _id, slug }: Pick<ActivityRecord, 'kind' | '_id' | 'slug'>,
  act: ActivityEntry['act'],
): PageLink | undefined => {
  if (kind === 'request') return act === 'suggestion' ? { to: `/requests/${_id}` } : { to: '/requests', search: { request: _id } }
  if (kind === 'deadline') return { to: '/deadlines' }
  if (kind === 'permission') return { to: '/permissions' }
  if (slug === null) return undefined
  if (kind === 'charter_affair') return { to: getRecordPath({ kind, slug }) }
  return RECORD_KINDS.some((one) => one === kind) ? { to: getRecordPath({ kind: kind as RecordKind, slug, _id }) } : undefined
}

/** 'Today', 'Yesterday', or the date. */
export const formatActivityDay = (day: string, timeZone: string, now: Date = new Date()): string => {
  if (day === toIsoDay(now, timeZone)) return 'Today'
  if (day === toIsoDay(new Date(now.getTime() - DAY_MS), timeZone)) return 'Yesterday'
  return formatDay(day)
}
