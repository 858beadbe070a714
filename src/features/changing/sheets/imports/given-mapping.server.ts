import { invalidFields } from '../../../../contract/problem.ts'
import type { ImportGuess, ImportMapping } from '../../../../platform/server/importer.ts'
import { GivenMapping, type ImportState } from './contract.ts'

type Columns = Record<string, string | null>
type Words = Record<string, Record<string, string | null>>

/** The index of a column by its index or header; undefined if the file has no such column. */
export const findColumnIndex = ({ columns }: Pick<ImportGuess, 'columns'>, name: string): number | undefined =>
  (columns.find(({ index }) => String(index) === name) ?? columns.find(({ header }) => header.toLowerCase() === name.trim().toLowerCase()))
    ?.index

/** What a caller chose, in one form; `unknown` are columns and fields that there are not. */
const readGivenMapping = (
  state: Pick<ImportState, 'columns' | 'fields'>,
  given: GivenMapping,
): { readonly mapping: ImportMapping; readonly unknown: readonly string[] } => {
  const isWhole =
    !Array.isArray(given) &&
    ['columns', 'values'].some(
      (name) => typeof given[name as keyof typeof given] === 'object' && given[name as keyof typeof given] !== null,
    )
  const whole = (isWhole ? given : { columns: given }) as { columns?: unknown; values?: unknown }
  const unknown: string[] = []
  const columns: Columns = {}
  const entries: (readonly [string, string | null])[] = Array.isArray(whole.columns)
    ? (whole.columns as { index: number; field: string | null }[]).map(({ index, field }) => [String(index), field])
    : Object.entries((whole.columns ?? {}) as Columns)
  for (const [name, field] of entries) {
    const index = findColumnIndex(state, name)
    if (index === undefined) unknown.push(`columns.${name}`)
    else if (field !== null && field !== '' && !state.fields.some(({ key }) => key === field)) unknown.push(`columns.${name}`)
    else columns[index] = field === '' ? null : field
  }
  const values: Words = {}
  if (Array.isArray(whole.values))
    for (const { field, value, target } of whole.values as { field: string; value: string; target: string | null }[])
      (values[field] ??= {})[value] = target
  else Object.assign(values, whole.values)
  return { mapping: { columns, values }, unknown }
}

/** Choices with later ones: a field that another column gets leaves the column that had it. */
export const mergeMappings = (earlier: ImportMapping, later: ImportMapping): ImportMapping => {
  const given = new Set(Object.values(later.columns).filter((field) => field !== null))
  const columns: Columns = {}
  for (const [index, field] of Object.entries(earlier.columns)) columns[index] = field !== null && given.has(field) ? null : field
  const values: Words = Object.fromEntries(Object.entries(earlier.values).map(([field, words]) => [field, { ...words }]))
  for (const [field, words] of Object.entries(later.values)) values[field] = { ...values[field], ...words }
  return { columns: { ...columns, ...later.columns }, values }
}

/** The whole mapping of a state: what is chosen, and what is guessed. */
export const toMapping = ({ columns, values }: Pick<ImportGuess, 'columns' | 'values'>): ImportMapping => {
  const words: Record<string, Record<string, string | null>> = {}
  for (const { field, value, target } of values) (words[field] ??= {})[value] = target
  return { columns: Object.fromEntries(columns.map(({ index, field }) => [index, field])), values: words }
}

/** What a caller chose; throws 422 for unknown columns and fields. */
export const readGiven = (state: ImportState, given: GivenMapping): ImportMapping => {
  const { mapping, unknown } = readGivenMapping(state, given)
  if (unknown.length > 0)
    throw invalidFields(unknown.map((path) => ({ path: `mapping.${path}`, message: 'There is no such column or field' })))
  return mapping
}

/** The mapping of a form. */
export const parseText = (text: string): GivenMapping => {
  const refused = invalidFields([{ path: 'mapping', message: 'This is not a mapping in JSON' }])
  try {
    const parsed = GivenMapping.safeParse(JSON.parse(text))
    if (!parsed.success) throw refused
    return parsed.data
  } catch {
    throw refused
  }
}
