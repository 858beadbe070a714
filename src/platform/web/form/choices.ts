import type { Named } from '../../../contract/references.ts'
import type { Choice } from './fields.ts'

/** Records to choose from, by name. */
export const toChoices = (records: readonly Named[]): Choice[] =>
  records.map(({ _id, name }) => ({ value: _id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label))
