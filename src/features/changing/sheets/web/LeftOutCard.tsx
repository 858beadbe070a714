import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'

import { getSheetNoun } from '../../../../contract/sheets.ts'
import { ShowMore, TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { SheetCell, SheetPreview } from '../contract.ts'
import { ID_FIELD } from '../sheet-format.ts'
import { CellAddress } from './CellAddress.tsx'
import { saveMarkedSheet, useSheetPreview } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './LeftOutCard.module.css'

const FIRST_CELLS = 10
const MORE_CELLS = 200

/** Why a row did not become a record: the errors of its cells, if there are any. */
const describeRow = (cells: readonly SheetCell[]): string => {
  const errors = cells.flatMap(({ state, label, message }) => (state === 'error' ? [`${label}: ${message ?? CANNOT_BE_SAVED}`] : []))
  return errors.length > 0 ? errors.join('. ') : LEFT_BY_HAND
}

const CANNOT_BE_SAVED = 'This value cannot be saved'
const LEFT_BY_HAND = 'You left it out'

/** Why a cell without a warning was left out. */
const describe = ({ state, message }: SheetCell): string => {
  if (state === 'error') return message ?? CANNOT_BE_SAVED
  return state === 'conflict' ? 'Someone else’s value was kept' : LEFT_BY_HAND
}

interface SuspectsProps {
  readonly sheet: string
  readonly message: string
  readonly cells: readonly SheetCell[]
}

/** The cells that were left out because of a warning: its message, and the cells on demand. */
const Suspects = ({ sheet, message, cells }: SuspectsProps) => {
  const [isOpen, setOpen] = useState(false)
  const columns = [...new Set(cells.map(({ cell }) => cell.replaceAll(/\d/g, '')))]
  return (
    <li className={`${layoutClasses.breakable} ${layoutClasses.lineBelow} ${layoutClasses.grid} ${classes.row}`}>
      <span className={`${layoutClasses.topRow} ${layoutClasses.wrapping} ${layoutClasses.gap6}`}>
        {columns.map((column) => (
          <CellAddress key={column} sheet={sheet} cell={column} />
        ))}
      </span>
      <div>
        {message}{' '}
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'} {cells.length.toLocaleString('en-US')}
        </TextButton>
        {isOpen ? (
          <ul className={`${layoutClasses.scrolling} ${layoutClasses.topMargin4} ${classes.suspects}`} aria-label={message}>
            {cells.map(({ cell, name, row, label }) => (
              <li key={cell}>
                <strong>{name ?? `Row ${row}`}</strong>, {label}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </li>
  )
}

/** The cells that were left out: those of new rows by row, those with a warning by warning, and others separately. */
const listLeftOut = ({ cells, left, warnings }: SheetPreview) => {
  const addresses = new Set(left)
  const suspected = new Map<string, SheetPreview['warnings'][number]>()
  for (const warning of warnings.toReversed()) if (warning.isSuspicious) for (const cell of warning.cells) suspected.set(cell, warning)
  const found = cells.filter(({ cell }) => addresses.has(cell))
  // A row of an unknown record has only an error at its identifier.
  const newLines = new Set(found.flatMap(({ record, field, row }) => (record === null && field !== ID_FIELD ? [row] : [])))
  const {
    created = [],
    alone = [],
    warned = [],
  } = Object.groupBy(found, ({ cell, state, record, row }) => {
    if (record === null && newLines.has(row)) return 'created'
    return state !== 'error' && suspected.has(cell) ? 'warned' : 'alone'
  })
  const newRows = [...Map.groupBy(created, ({ row }) => row).values()]
  const warnedBy = Map.groupBy(warned, ({ cell }) => suspected.get(cell))
  return { alone, newRows, warned, warnedBy: [...warnedBy], total: alone.length + newRows.length + warned.length }
}

export const LeftOut = ({ preview }: { preview: SheetPreview }) => {
  const { _id, sheet } = preview
  const [limit, setLimit] = useState(FIRST_CELLS)
  const { alone, newRows, warnedBy, total } = listLeftOut(preview)
  if (total === 0) return null
  const lines = [
    ...alone.map((cell) => ({ address: cell.cell, name: cell.name ?? `Row ${cell.row}`, text: `${cell.label}: ${describe(cell)}` })),
    ...newRows.flatMap((cells) =>
      cells
        .slice(0, 1)
        .map(({ row, name }) => ({ address: String(row), name: name ?? `Row ${row}`, text: `new row. ${describeRow(cells)}` })),
    ),
  ]
  return (
    <section aria-labelledby="left-out">
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.gap6By16} ${classes.head}`}>
        <h2 id="left-out">{total.toLocaleString('en-US')} left out</h2>
        <Button
          variant="default"
          leftSection={<IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />}
          onClick={() => void saveMarkedSheet(_id, 'left')}
        >
          Download what was left out
        </Button>
      </div>
      <ul className={layoutClasses.topMargin4} aria-labelledby="left-out">
        {lines.slice(0, limit).map(({ address, name, text }, at) => (
          <li
            key={`${address} ${at}`}
            className={`${layoutClasses.breakable} ${layoutClasses.lineBelow} ${layoutClasses.grid} ${classes.row}`}
          >
            <CellAddress sheet={sheet} cell={address} />
            <span>
              <strong>{name}</strong>, {text}
            </span>
          </li>
        ))}
        {warnedBy.map(([warning, suspects], at) =>
          warning ? <Suspects key={at} sheet={sheet} message={warning.message} cells={suspects} /> : null,
        )}
      </ul>
      <ShowMore left={lines.length - limit} step={MORE_CELLS} onShow={() => setLimit(limit + MORE_CELLS)} />
    </section>
  )
}

/** The numbers of what was left out: errors, conflicts that kept another value, new rows, cells with a warning, and what was left out by hand. */
const countLeftOut = (preview: SheetPreview) => {
  const { alone, newRows, warned } = listLeftOut(preview)
  const count = (state: SheetCell['state']) => alone.filter((cell) => cell.state === state).length
  const [errors, conflicts] = [count('error'), count('conflict')]
  const others = alone.length - errors - conflicts
  const noun = getSheetNoun(preview.kind)
  return [
    { count: errors, words: `${errors === 1 ? 'error' : 'errors'} left out` },
    { count: conflicts, words: `${conflicts === 1 ? 'value' : 'values'} of others kept` },
    { count: newRows.length, words: `new ${noun[newRows.length === 1 ? 0 : 1]} left out` },
    { count: warned.length, words: `${warned.length === 1 ? 'value' : 'values'} left out after a warning` },
    { count: others, words: `${others === 1 ? 'value' : 'values'} you left out` },
  ].filter((one) => one.count > 0)
}

/** The preview of the saved sheet while it is stored: only for the person who saved it, and if they come from there. */
const useSavedSheet = (): SheetPreview | undefined => {
  const [{ sheet = '' }] = useSearchParams()
  const { data } = useSheetPreview(sheet, sheet !== '')
  return data?.left ? data : undefined
}

/** The boxes with the numbers of what was left out. */
export const LeftOutNumbersCard = () => {
  const preview = useSavedSheet()
  return (preview ? countLeftOut(preview) : []).map(({ count, words }) => (
    <li key={words}>
      <strong>{count.toLocaleString('en-US')}</strong>
      {words}
    </li>
  ))
}

/** What was left out of an uploaded sheet. */
export const LeftOutCard = () => {
  const preview = useSavedSheet()
  return preview ? <LeftOut preview={preview} /> : null
}
