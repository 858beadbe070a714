import { formatDay } from '../../../../contract/dates.ts'
import { DEADLINE_KINDS, type DeadlineKind } from '../../../../contract/deadlines.ts'
import type { Change } from '../../../changing/history/contract.ts'

type Values = ReadonlyMap<string, Change['fields'][number]>

const day = (value: unknown): string => (typeof value === 'string' ? formatDay(value) : '')
const quote = (value: unknown): string => `“${String(value)}”`
const toKindName = (value: unknown): string => DEADLINE_KINDS[value as DeadlineKind]?.name ?? String(value)

/** 'put it off until 12/15/2026', 'marked it as handled'. */
const describeState = (values: Values): string[] => {
  const [state, until] = [values.get('state'), values.get('snoozedUntil')]
  if (state?.to === 'handled') return ['marked it as handled']
  if (state?.to === 'open') return ['opened it again']
  return until && until.to !== null ? [`put it off until ${day(until.to)}`] : []
}

const describeDate = (values: Values): string[] => {
  const [date, text, isByHand] = [values.get('date'), values.get('text'), values.get('isByHand')]
  if (text) {
    if (text.to === null) return ['emptied the text']
    return [`changed the text to ${quote(text.to)}${date ? (date.to === null ? ', which has no date' : `, read as ${day(date.to)}`) : ''}`]
  }
  if (isByHand?.to === false)
    return [date?.to ? `went back to the date of the text, ${day(date.to)}` : 'removed the date that was set by hand']
  if (isByHand?.to === true || date) return date?.to ? [`set the date to ${day(date.to)}`] : ['set the date by hand']
  return []
}

const describeResponsible = (values: Values): string[] => {
  const responsible = values.get('responsible')
  if (!responsible) return []
  return responsible.to === null
    ? [`no longer assigns it to ${responsible.fromName ?? 'a deleted person'}`]
    : [`assigned it to ${responsible.toName ?? 'a deleted person'}`]
}

const describeRest = (values: Values): string[] => {
  const sentences: string[] = []
  const add = (field: string, words: (to: unknown) => string) => {
    const value = values.get(field)
    if (value) sentences.push(words(value.to))
  }
  add('note', (to) => (to === null ? 'removed the note' : `noted ${quote(to)}`))
  add('isIgnored', (to) => (to === true ? 'said that it is not a deadline' : 'said that it is a deadline'))
  add('title', (to) => `changed the title to ${quote(to)}`)
  add('kind', (to) => `changed the kind to ${toKindName(to)}`)
  add('yearly', (to) => (to === true ? 'made it a yearly one' : 'made it one that does not return'))
  add('isCurrent', () => 'changed the field, which has another date now')
  return sentences
}

/** What someone did to a deadline, most important first: 'marked it as handled', 'noted “Report sent”'. */
export const describeChange = ({ action, fields }: Pick<Change, 'action' | 'fields'>): string[] => {
  const values: Values = new Map(fields.map((one) => [one.field, one]))
  if (action === 'delete') return ['deleted it']
  if (action === 'update') {
    const sentences = [...describeState(values), ...describeResponsible(values), ...describeDate(values), ...describeRest(values)]
    return sentences.length > 0 ? sentences : ['changed it']
  }
  const [text, date] = [values.get('text')?.to, values.get('date')?.to]
  const made =
    text === undefined
      ? `added it for ${day(date)}`
      : `typed ${quote(text)}${date === undefined ? ', which has no date' : `, read as ${day(date)}`}`
  const note = values.get('note')
  return [made, ...(values.has('responsible') ? describeResponsible(values) : []), ...(note ? [`noted ${quote(note.to)}`] : [])]
}
