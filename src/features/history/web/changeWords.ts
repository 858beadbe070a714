import type { Change } from '../contract.ts'
import { innerLabelOf, labelOf, nameOfPart } from './partWords.ts'
import { showValue } from './valueWords.ts'

/** One line of a change: a field in words. */
export interface Line {
  readonly key: string
  /** What the server calls the field: by this it is put back. */
  readonly field: string
  readonly label: string
  readonly from: string
  readonly to: string
}

type ChangedField = Change['fields'][number]
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The title of such a part says all that it holds. */
const SAID_BY_TITLE: Readonly<Record<string, readonly string[]>> = {
  site_person: ['person', 'role'],
  site_program_type: ['program_type'],
  sis_site: ['name'],
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A section of a charter affair is a set of texts: those that differ, each as a line of its own. */
const linesOfSection = ({ field, from, to }: ChangedField): Line[] => {
  const [before, after] = [isSection(from) ? from : {}, isSection(to) ? to : {}]
  return Object.keys({ ...before, ...after })
    .filter((inner) => (before[inner] ?? null) !== (after[inner] ?? null))
    .map((inner) => ({
      key: `${field} ${inner}`,
      field,
      label: `${labelOf('charter_affair', field)}, ${innerLabelOf(field, inner)}`,
      from: showValue(field, inner, before[inner]),
      to: showValue(field, inner, after[inner]),
    }))
}

/** The fields of a change in words, but for what its title says already; `field` leaves just that one. */
export const linesOf = (change: Change, field?: string): Line[] => {
  const { part, action, title } = change
  const said = action !== 'update' && title !== null ? (SAID_BY_TITLE[part] ?? []) : []
  return change.fields
    .filter((one) => (field === undefined || one.field === field) && !said.includes(one.field))
    .flatMap((one) =>
      part === 'charter_affair' && one.field !== 'charter'
        ? linesOfSection(one)
        : [
            {
              key: one.field,
              field: one.field,
              label: labelOf(part, one.field),
              from: showValue(part, one.field, one.from, one.fromName),
              to: showValue(part, one.field, one.to, one.toName),
            },
          ],
    )
}

const VERBS = { insert: 'added', update: 'changed', delete: 'removed' } as const

export const whoOf = ({ by }: Pick<Change, 'by'>): string => by ?? 'Import or the program itself'

/** What somebody did: 'changed the facility', 'removed the SIS site Lodi IS'. */
export const deedOf = ({ action, part, title }: Pick<Change, 'action' | 'part' | 'title'>): string =>
  `${VERBS[action]} ${nameOfPart(part, title)}`

export const nameOfChanged = ({ part, title }: Pick<Change, 'part' | 'title'>): string => nameOfPart(part, title)

/** A value that stands in a name or a sentence: its beginning, on one line. */
export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line
}

/** What of a change is put back: one field, all that it changed, or the whole row as it was before. */
export type Wanted = { readonly line: Line } | 'all' | 'whole'

/** What is so again once it is put back. */
export const doneWords = (change: Change, wanted: Wanted): string => {
  if (change.action === 'delete') return `${capital(nameOfChanged(change))} is back.`
  if (wanted === 'whole') return `${capital(nameOfChanged(change))} is as it was before this change again.`
  const lines = wanted === 'all' ? linesOf(change) : [wanted.line]
  const [only] = lines
  if (only && lines.length === 1) return `${only.label} is ${shortened(only.from)} again.`
  return `${lines.length} fields of ${nameOfChanged(change)} are as they were again.`
}
