import type { Change } from '../contract.ts'
import type { HistoryParts } from '../rules.ts'
import { formatFreeText, formatValue, isObject } from './format-value.ts'
import { getFieldLabel, getPartName } from './part-names.ts'

/** One field of a change as text. */
export interface ChangeLine {
  /** The path of the field in the API, 'phone' or 'overview.fein', for restoring it. */
  readonly field: string
  readonly label: string
  readonly from: string
  readonly to: string
}

/** A section of a charter affair. */
export interface Section {
  readonly field: string
  readonly title: string
}

type ChangedField = Change['fields'][number]
const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** A line for each text of a section that differs, in the order of the page. */
const getSectionLines = (parts: HistoryParts, { field, from, to }: ChangedField): ChangeLine[] => {
  const [before, after] = [isObject(from) ? from : {}, isObject(to) ? to : {}]
  const ordered = Object.keys(parts['charter_affair']?.sections?.[field] ?? {})
  return [...new Set([...ordered, ...Object.keys({ ...before, ...after })])]
    .filter((text) => (before[text] ?? null) !== (after[text] ?? null))
    .map((text) => ({
      field: `${field}.${text}`,
      label: getFieldLabel(parts, 'charter_affair', `${field}.${text}`),
      from: formatFreeText(before[text]),
      to: formatFreeText(after[text]),
    }))
}

/** The fields of a change as text, without those that its title repeats; `field` selects one field, or all texts of a section. */
export const getChangeLines = (parts: HistoryParts, change: Change, field?: string): ChangeLine[] => {
  const { part, action, title } = change
  const { titleFields, isFreeText } = parts[part] ?? {}
  const hidden = action !== 'update' && title !== null ? (titleFields ?? []) : []
  const format = (name: string, value: unknown, referenceName: string | null) =>
    isFreeText ? formatFreeText(value) : formatValue(part, name, value, referenceName)
  return change.fields
    .filter((one) => !hidden.includes(one.field))
    .flatMap((one) =>
      part === 'charter_affair' && one.field !== 'charter'
        ? getSectionLines(parts, one)
        : [
            {
              field: one.field,
              label: getFieldLabel(parts, part, one.field),
              from: format(one.field, one.from, one.fromName),
              to: format(one.field, one.to, one.toName),
            },
          ],
    )
    .filter((line) => field === undefined || line.field === field || line.field.startsWith(`${field}.`))
}

const VERBS = { insert: 'added', update: 'changed', delete: 'removed', check: 'checked', uncheck: 'took back the check of' } as const

export const formatActor = ({ by }: Pick<Change, 'by'>): string => by ?? 'Import or automatic change'

/** What someone did: 'changed the facility', 'removed the SIS site Lodi IS', 'checked the site'. */
export const formatAction = (parts: HistoryParts, { action, part, title }: Pick<Change, 'action' | 'part' | 'title'>): string =>
  `${VERBS[action]} ${getPartName(parts, part, title)}`

/** The first 60 characters of a value on one line, for labels and sentences. */
export const truncateText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line
}

/** The sections of a charter affair among these lines. */
export const listSections = (parts: HistoryParts, lines: readonly ChangeLine[]): Section[] =>
  [...new Set(lines.flatMap(({ field }) => (field.includes('.') ? (field.split('.')[0] ?? []) : [])))].map((field) => ({
    field,
    title: getFieldLabel(parts, 'charter_affair', field),
  }))

/** What of a change is restored: one field, a whole section as it was before, all that it changed, or the whole row as it was before. */
export type RestoreTarget = { readonly line: ChangeLine } | { readonly section: Section } | 'all' | 'whole'

/** The message after a restore. */
export const formatRestored = (parts: HistoryParts, change: Change, target: RestoreTarget): string => {
  const name = getPartName(parts, change.part, change.title)
  if (change.action === 'delete') return `${capitalize(name)} was restored.`
  if (target === 'whole') return `${capitalize(name)} was restored to before this change.`
  if (target !== 'all' && 'section' in target) return `The section ${target.section.title} was restored.`
  const lines = target === 'all' ? getChangeLines(parts, change) : [target.line]
  const [only] = lines
  if (only && lines.length === 1) return `${only.label} was restored to ${truncateText(only.from)}.`
  return `${lines.length} fields of ${name} were restored.`
}
