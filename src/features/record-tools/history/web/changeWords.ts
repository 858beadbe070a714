import type { Change } from '../contract.ts'
import { labelOf, nameOfPart, textsOf } from './partWords.ts'
import { showValue } from './valueWords.ts'

/** One line of a change: a field in words. */
export interface Line {
  /** What the server calls the field, 'phone' or 'overview.fein': by this it is put back. */
  readonly field: string
  readonly label: string
  readonly from: string
  readonly to: string
}

/** A section of a charter affair: what the server and what people call it. */
export interface Section {
  readonly field: string
  readonly title: string
}

type ChangedField = Change['fields'][number]
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The title of such a part says all that it holds. */
const SAID_BY_TITLE: Readonly<Record<string, readonly string[]>> = {
  site_person: ['person', 'role'],
  site_program_type: ['program_type'],
  sis_site: ['name'],
  authorizer_board_member: ['board_member_name'],
  center_district: ['center_name'],
}

const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A section of a charter affair is a set of texts: those that differ, each as a line of its own. */
const linesOfSection = ({ field, from, to }: ChangedField): Line[] => {
  const [before, after] = [isSection(from) ? from : {}, isSection(to) ? to : {}]
  return [...new Set([...textsOf(field), ...Object.keys({ ...before, ...after })])]
    .filter((text) => (before[text] ?? null) !== (after[text] ?? null))
    .map((text) => ({
      field: `${field}.${text}`,
      label: labelOf('charter_affair', `${field}.${text}`),
      from: showValue(field, text, before[text]),
      to: showValue(field, text, after[text]),
    }))
}

/** The fields of a change in words, but for what its title says already; `field` leaves just that one, of a section all its texts. */
export const linesOf = (change: Change, field?: string): Line[] => {
  const { part, action, title } = change
  const said = action !== 'update' && title !== null ? (SAID_BY_TITLE[part] ?? []) : []
  return change.fields
    .filter((one) => !said.includes(one.field))
    .flatMap((one) =>
      part === 'charter_affair' && one.field !== 'charter'
        ? linesOfSection(one)
        : [
            {
              field: one.field,
              label: labelOf(part, one.field),
              from: showValue(part, one.field, one.from, one.fromName),
              to: showValue(part, one.field, one.to, one.toName),
            },
          ],
    )
    .filter((line) => field === undefined || line.field === field || line.field.startsWith(`${field}.`))
}

const VERBS = { insert: 'added', update: 'changed', delete: 'removed' } as const

export const whoOf = ({ by }: Pick<Change, 'by'>): string => by ?? 'Import or automatic change'

/** What somebody did: 'changed the facility', 'removed the SIS site Lodi IS'. */
export const deedOf = ({ action, part, title }: Pick<Change, 'action' | 'part' | 'title'>): string =>
  `${VERBS[action]} ${nameOfPart(part, title)}`

export const nameOfChanged = ({ part, title }: Pick<Change, 'part' | 'title'>): string => nameOfPart(part, title)

/** A value that stands in a name or a sentence: its beginning, on one line. */
export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line
}

/** The sections of a charter affair among these lines. */
export const sectionsIn = (lines: readonly Line[]): Section[] =>
  [...new Set(lines.flatMap(({ field }) => (field.includes('.') ? (field.split('.')[0] ?? []) : [])))].map((field) => ({
    field,
    title: labelOf('charter_affair', field),
  }))

/** What of a change is put back: one field, a whole section as it was before, all that it changed, or the whole row as it was before. */
export type Wanted = { readonly line: Line } | { readonly section: Section } | 'all' | 'whole'

/** What is so again once it is put back. */
export const doneWords = (change: Change, wanted: Wanted): string => {
  if (change.action === 'delete') return `${capital(nameOfChanged(change))} was restored.`
  if (wanted === 'whole') return `${capital(nameOfChanged(change))} was restored to before this change.`
  if (wanted !== 'all' && 'section' in wanted) return `The section ${wanted.section.title} was restored.`
  const lines = wanted === 'all' ? linesOf(change) : [wanted.line]
  const [only] = lines
  if (only && lines.length === 1) return `${only.label} was restored to ${shortened(only.from)}.`
  return `${lines.length} fields of ${nameOfChanged(change)} were restored.`
}
