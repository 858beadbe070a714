import { normalizeText } from '../../../../contract/text-match.ts'
import { type FieldsByPath, type FormField, toFormValue } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import type { BulkPreview } from '../contract.ts'

/** Fields to choose from, under a heading if the kind of record has several forms. */
export interface FieldGroup {
  readonly title: string
  readonly fields: FieldsByPath
}

/** What is changed as one: a field, or several that belong together. */
export interface FieldChoice {
  readonly value: string
  readonly label: string
  readonly group: string
  readonly paths: readonly string[]
  readonly synonyms: readonly string[]
}

const toChoice = (group: string, path: string, { label, longLabel = label, synonyms = [], together }: FormField): FieldChoice => ({
  value: path,
  label: longLabel,
  group,
  paths: [path],
  synonyms: together === undefined ? synonyms : [...synonyms, together],
})

/** All that can be changed, in the order of the forms; fields that belong together also as one, before the first of them. */
export const listFieldChoices = (groups: readonly FieldGroup[]): FieldChoice[] =>
  groups.flatMap(({ title, fields }) => {
    const entries = Object.entries(fields)
    const named = new Set<string>()
    return entries.flatMap(([path, field]) => {
      const own = toChoice(title, path, field)
      const { together } = field
      if (together === undefined || named.has(together)) return [own]
      named.add(together)
      const paths = entries.filter(([, other]) => other.together === together).map(([name]) => name)
      return [{ value: `all ${together}`, label: together, group: title, paths, synonyms: [] }, own]
    })
  })

/** How well a choice matches what was typed: its whole name, its beginning, a part of it, another word for it; Infinity if not at all. */
const rankChoice = ({ label, synonyms }: FieldChoice, typed: string): number => {
  const name = normalizeText(label)
  if (name === typed) return 0
  if (name.startsWith(typed)) return 1
  if (name.includes(typed)) return 2
  return synonyms.some((one) => normalizeText(one).includes(typed)) ? 3 : Infinity
}

/** The choices that match what was typed, the best first. */
export const findFieldChoices = (choices: readonly FieldChoice[], typed: string): FieldChoice[] => {
  const wanted = normalizeText(typed.trim())
  return choices
    .map((choice) => ({ choice, rank: rankChoice(choice, wanted) }))
    .filter(({ rank }) => rank !== Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}

/** What to do with a list: replace it, or add or remove entries. */
export type ListMode = 'set' | 'add' | 'remove'

/** A choice with the values that were entered for it. */
export interface BulkItem {
  readonly key: number
  readonly choice: FieldChoice | null
  /** Only what was entered, because an empty value is also a value. */
  readonly values: Values
  readonly mode: ListMode
  /** What is typed in the field search. */
  readonly typed: string
  /** What has to be corrected before it can be saved. */
  readonly problem: string | null
  /** Why an input is not ready, such as a running upload. */
  readonly block: string | null
}
export const createItem = (key: number, choice: FieldChoice | null, fields: FieldsByPath): BulkItem => ({
  key,
  choice,
  values: {},
  mode: fields[choice?.paths[0] ?? '']?.kind === 'own' ? 'add' : 'set',
  typed: '',
  problem: null,
  block: null,
})

export const isEmptyItem = ({ values }: BulkItem): boolean => Object.keys(values).length === 0

/** The value of a field before anything is chosen. */
export const getEmptyValue = (field: FormField, isList: boolean): FieldValue =>
  field.kind === 'own' && isList
    ? []
    : field.kind === 'own' && field.isGroup
      ? toFormValue(field, null)
      : field.kind === 'check'
        ? false
        : ''

/** The value in the format of the call; for a list, the entries to add, remove or set. */
const toChange = (value: FieldValue, mode: ListMode, isList: boolean): unknown => {
  if (!isList) return value
  const entries = Array.isArray(value) ? value : value === '' ? [] : [value]
  return mode === 'set' ? entries : { [mode]: entries }
}

/** All entered values by path, with those that follow from them unless they were entered too; null if nothing was entered. */
export const toChanges = (
  items: readonly BulkItem[],
  isList: (path: string) => boolean,
  derivedValues: (path: string, value: FieldValue) => Values = () => ({}),
): Record<string, unknown> | null => {
  const entered = items.flatMap(({ values, mode }) => Object.entries(values).map(([path, value]) => ({ path, value, mode })))
  if (entered.length === 0) return null
  return {
    ...Object.assign({}, ...entered.map(({ path, value }) => derivedValues(path, value))),
    ...Object.fromEntries(entered.map(({ path, value, mode }) => [path, toChange(value, mode, isList(path))])),
  }
}

/** The errors that all records have in common, by path: they are shown next to the value. */
export const findCommonErrors = (preview: BulkPreview | null | undefined): Readonly<Record<string, string>> => {
  const rows = preview?.rows.filter(({ state }) => state !== 'unchanged') ?? []
  return Object.fromEntries(
    (rows[0]?.errors ?? [])
      .filter(({ path, message }) => rows.every(({ errors }) => errors.some((one) => one.path === path && one.message === message)))
      .map(({ path, message }) => [path, message]),
  )
}
