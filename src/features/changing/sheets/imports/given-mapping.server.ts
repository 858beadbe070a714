import type { ImportMapping } from '../../../../platform/server/importer.ts'
import type { GivenMapping, ImportState } from './contract.ts'

type Columns = Record<string, string | null>
type Words = Record<string, Record<string, string | null>>

/** The index of a column by its index or header; undefined if the file has no such column. */
const findIndex = ({ columns }: Pick<ImportState, 'columns'>, name: string): number | undefined =>
  (columns.find(({ index }) => String(index) === name) ?? columns.find(({ header }) => header.toLowerCase() === name.trim().toLowerCase()))
    ?.index

/** What a caller chose, in one form; `unknown` are columns and fields that there are not. */
export const readGivenMapping = (
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
    const index = findIndex(state, name)
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
