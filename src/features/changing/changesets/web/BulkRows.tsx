import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconArrowRight, IconCalendarEvent, IconCheck, IconEqual, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { type Noun, capitalize } from '../../../../contract/format.ts'
import { DiffText } from '../../../../platform/web/form/DiffText.tsx'
import { type FieldsByPath, type FormField, formatValue, toFormValue } from '../../../../platform/web/form/fields.ts'
import { isLongText } from '../../../../platform/web/form/NowAndNew.tsx'
import { type CountChip, CountChips } from '../../../../platform/web/kit/CountChips.tsx'
import { ShowMore } from '../../../../platform/web/kit/TextButton.tsx'
import type { BulkPreview, BulkRow } from '../contract.ts'
import { isLeftOut } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './BulkDialog.module.css'

type Filter = 'all' | 'change' | 'unchanged' | 'left'
const getFilter = (row: BulkRow): Exclude<Filter, 'all'> => (isLeftOut(row) ? 'left' : row.state === 'unchanged' ? 'unchanged' : 'change')

/** The number of rows shown initially. */
const FIRST_ROWS = 7

/** Formats a line as its field does: a phone number with its dashes. */
const formatText = (field: FormField | undefined, text: string): string =>
  field?.kind === 'line' && field.format ? field.format(text) : text

interface NewValueProps {
  row: BulkRow
  cell: BulkRow['cells'][number]
  format: (cell: BulkRow['cells'][number], side: 'before' | 'after') => string
}

const NewValue = ({ row, cell, format }: NewValueProps) => {
  if (row.state === 'error') {
    const isElsewhere = ({ path }: { path: string }) => row.cells.every((one) => one.path !== path)
    const errors = row.errors.filter((error) => error.path === cell.path || (cell === row.cells[0] && isElsewhere(error)))
    return errors.length === 0 ? null : (
      <span className={`${layoutClasses.topRow} ${classes.state}`} data-tone="bad">
        <IconAlertCircle size={15} stroke={1.75} aria-hidden />
        {errors.map(({ message }) => message).join('. ')}
      </span>
    )
  }
  if (row.plannedFor !== null)
    return (
      <span className={`${layoutClasses.topRow} ${classes.state}`} data-tone="wait">
        <IconCalendarEvent size={15} stroke={1.75} aria-hidden />
        Already planned from {formatDay(row.plannedFor)}
      </span>
    )
  if (row.state === 'unchanged')
    return (
      <span className={`${layoutClasses.topRow} ${classes.state}`} data-tone="quiet">
        <IconEqual size={15} stroke={1.75} aria-hidden />
        Unchanged
      </span>
    )
  const [now, next] = [format(cell, 'before'), format(cell, 'after')]
  return (
    <span className={`${layoutClasses.topRow} ${classes.state}`}>
      <IconArrowRight size={14} stroke={1.75} aria-hidden />
      <VisuallyHidden component="span">to </VisuallyHidden>
      <DiffText text={next} other={now} isClipped={isLongText(next)} />
    </span>
  )
}

interface BulkRowsProps {
  preview: BulkPreview
  noun: Noun
  fields: FieldsByPath
  /** Whether a newer preview is loading. */
  isStale: boolean
}

/** What a change will do to each record, with counts that filter. */
export const BulkRows = ({ preview: { rows }, noun, fields, isStale }: BulkRowsProps) => {
  const [filter, setFilter] = useState<Filter>('all')
  const [isWhole, setWhole] = useState(false)
  const count = (one: Filter) => (one === 'all' ? rows.length : rows.filter((row) => getFilter(row) === one).length)
  const format: NewValueProps['format'] = ({ path, ...cell }, side) => {
    const field = fields[path]
    return cell[`${side}Name`] ?? formatText(field, formatValue(field, toFormValue(field, cell[side])))
  }
  const hasSeveral = rows.some(({ cells }) => cells.length > 1)
  const matching = rows.filter((row) => filter === 'all' || getFilter(row) === filter)
  const shown = isWhole ? matching : matching.slice(0, FIRST_ROWS)
  const chips: readonly CountChip<Filter>[] = [
    { key: 'all', word: 'All', count: count('all'), icon: IconCheck },
    { key: 'change', word: 'change', count: count('change'), icon: IconPencil },
    { key: 'unchanged', word: 'unchanged', count: count('unchanged'), icon: IconEqual },
    { key: 'left', word: 'left out', count: count('left'), icon: IconAlertCircle, tone: 'wait' },
  ]
  return (
    <section aria-label="What will change">
      <div className={layoutClasses.spreadRow}>
        <h3>What will change</h3>
        <CountChips chips={chips} shown={filter} isSmall onShow={setFilter} />
      </div>
      <VisuallyHidden role="status">
        {isStale
          ? ''
          : chips
              .slice(1)
              .map(({ count: rowCount, word }) => `${rowCount.toLocaleString('en-US')} ${word}`)
              .join(', ')}
      </VisuallyHidden>
      <table
        className={`${layoutClasses.fullWidth} ${textClasses.smallFont} ${classes.rows}`}
        data-stale={isStale || undefined}
        aria-label="What will change"
      >
        <thead>
          <tr>
            <th scope="col">{capitalize(noun[0])}</th>
            {hasSeveral ? <th scope="col">Field</th> : null}
            <th scope="col">Now</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) =>
            row.cells.map((cell, at) => (
              <tr key={`${row._id} ${cell.path}`}>
                {at === 0 ? (
                  <th scope="row" rowSpan={row.cells.length}>
                    {row.name}
                  </th>
                ) : null}
                {hasSeveral ? <td>{fields[cell.path]?.longLabel ?? cell.label}</td> : null}
                <td className={textClasses.dimmed}>{format(cell, 'before')}</td>
                <td>
                  <NewValue row={row} cell={cell} format={format} />
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      <ShowMore left={matching.length - shown.length} step={matching.length} onShow={() => setWhole(true)} />
    </section>
  )
}
