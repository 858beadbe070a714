import { NativeSelect } from '@mantine/core'

import type { FieldOfPart } from '../contract.ts'
import { labelOf, titleOfPart } from './partWords.ts'
import type { Narrowed } from './queries.ts'

import classes from './HistoryDrawer.module.css'

interface HistoryFiltersProps {
  /** Everybody who changed something, and every field that was changed. */
  people: readonly string[]
  fields: readonly FieldOfPart[]
  narrowed: Narrowed
  onNarrow: (narrowed: Narrowed) => void
}

const valueOf = ({ part, field }: Partial<FieldOfPart>): string => (part === undefined ? '' : `${part} ${field}`)

const byLabel = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The fields under their parts, in words and in the order of the words. */
const groupsOf = (fields: readonly FieldOfPart[]) =>
  [...Map.groupBy(fields, ({ part }) => part)].map(([part, ofPart]) => ({
    group: titleOfPart(part),
    items: ofPart
      .map((one) => ({ value: valueOf(one), label: labelOf(part, one.field) }))
      .toSorted((a, b) => byLabel.compare(a.label, b.label)),
  }))

/** Narrows a history to one person and to one field. */
export const HistoryFilters = ({ people, fields, narrowed, onNarrow }: HistoryFiltersProps) => {
  const { by, ...ofPart } = narrowed
  return (
    <div className={classes.filters}>
      <NativeSelect
        label="Changed by"
        data={[{ value: '', label: 'Anyone' }, ...people]}
        value={by ?? ''}
        onChange={({ currentTarget: { value } }) => onNarrow({ ...ofPart, ...(value ? { by: value } : {}) })}
      />
      <NativeSelect
        label="Field"
        data={[{ value: '', label: 'Any field' }, ...groupsOf(fields)]}
        value={valueOf(ofPart)}
        onChange={({ currentTarget: { value } }) =>
          onNarrow({ ...(by === undefined ? {} : { by }), ...fields.find((one) => valueOf(one) === value) })
        }
      />
    </div>
  )
}
