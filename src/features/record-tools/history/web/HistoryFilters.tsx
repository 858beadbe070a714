import { NativeSelect } from '@mantine/core'

import { collator } from '../../../../contract/lists.ts'
import type { FieldOfPart } from '../contract.ts'
import { getFieldLabel, getPartTitle, type HistoryParts } from '../rules.ts'
import type { HistoryFilter } from './queries.ts'

import classes from './HistoryDrawer.module.css'

interface HistoryFiltersProps {
  parts: HistoryParts
  /** Everyone who changed something, and every field that was changed. */
  people: readonly string[]
  fields: readonly FieldOfPart[]
  filter: HistoryFilter
  onFilter: (filter: HistoryFilter) => void
}

const toOptionValue = ({ part, field }: Partial<FieldOfPart>): string => (part === undefined ? '' : `${part} ${field}`)

/** The fields grouped by part, sorted by label. */
const groupFields = (parts: HistoryParts, fields: readonly FieldOfPart[]) =>
  [...Map.groupBy(fields, ({ part }) => part)].map(([part, partFields]) => ({
    group: getPartTitle(parts, part),
    items: partFields
      .map((one) => ({ value: toOptionValue(one), label: getFieldLabel(parts, part, one.field) }))
      .toSorted((a, b) => collator.compare(a.label, b.label)),
  }))

/** Filters a history by person and by field. */
export const HistoryFilters = ({ parts, people, fields, filter, onFilter }: HistoryFiltersProps) => {
  const { by, ...field } = filter
  return (
    <div className={classes.filters}>
      <NativeSelect
        label="Changed by"
        data={[{ value: '', label: 'Anyone' }, ...people]}
        value={by ?? ''}
        onChange={({ currentTarget: { value } }) => onFilter({ ...field, ...(value ? { by: value } : {}) })}
      />
      <NativeSelect
        label="Field"
        data={[{ value: '', label: 'Any field' }, ...groupFields(parts, fields)]}
        value={toOptionValue(field)}
        onChange={({ currentTarget: { value } }) =>
          onFilter({ ...(by === undefined ? {} : { by }), ...fields.find((one) => toOptionValue(one) === value) })
        }
      />
    </div>
  )
}
