import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'

import { ShowMore, TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { SheetCell, SheetPreview } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { saveMarkedSheet, useSheetPreview } from './queries.ts'

import classes from './LeftOutCard.module.css'

const FIRST_CELLS = 10
const MORE_CELLS = 200

/** Why a cell was left out that no warning is about. */
const describe = ({ state, message }: SheetCell): string => {
  if (state === 'error') return message ?? 'This value cannot be saved'
  return state === 'conflict' ? 'The value of someone else was kept' : 'You left it out'
}

interface SuspectsProps {
  readonly sheet: string
  readonly message: string
  readonly cells: readonly SheetCell[]
}

/** The cells that a warning left out: its words once, the cells when they are wanted. */
const Suspects = ({ sheet, message, cells }: SuspectsProps) => {
  const [isOpen, setOpen] = useState(false)
  const columns = [...new Set(cells.map(({ cell }) => cell.replaceAll(/\d/g, '')))]
  return (
    <li className={classes.row}>
      <span className={classes.columns}>
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
          <ul className={classes.suspects} aria-label={message}>
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

/** The cells that were left out, by the warning that left them out; errors, and what was left out by hand, have none. */
const listLeftOut = ({ cells, left, warnings }: SheetPreview) => {
  const addresses = new Set(left)
  const suspected = new Map<string, SheetPreview['warnings'][number]>()
  for (const warning of warnings.toReversed()) if (warning.isSuspicious) for (const cell of warning.cells) suspected.set(cell, warning)
  const found = cells.filter(({ cell }) => addresses.has(cell))
  return { found, groups: Map.groupBy(found, ({ cell, state }) => (state === 'error' ? undefined : suspected.get(cell))) }
}

const LeftOut = ({ preview }: { preview: SheetPreview }) => {
  const { _id, sheet } = preview
  const [limit, setLimit] = useState(FIRST_CELLS)
  const { found, groups } = listLeftOut(preview)
  if (found.length === 0) return null
  const single = groups.get(undefined) ?? []
  return (
    <section aria-labelledby="left-out">
      <div className={classes.head}>
        <h2 id="left-out">{found.length.toLocaleString('en-US')} left out</h2>
        <Button
          variant="default"
          leftSection={<IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />}
          onClick={() => void saveMarkedSheet(_id, 'left')}
        >
          Download what was left out
        </Button>
      </div>
      <ul className={classes.rows} aria-labelledby="left-out">
        {single.slice(0, limit).map((cell, at) => (
          <li key={`${cell.cell} ${at}`} className={classes.row}>
            <CellAddress sheet={sheet} cell={cell.cell} />
            <span>
              <strong>{cell.name ?? `Row ${cell.row}`}</strong>, {cell.label}: {describe(cell)}
            </span>
          </li>
        ))}
        {[...groups].map(([warning, suspects], at) =>
          warning ? <Suspects key={at} sheet={sheet} message={warning.message} cells={suspects} /> : null,
        )}
      </ul>
      <ShowMore left={single.length - limit} step={MORE_CELLS} onShow={() => setLimit(limit + MORE_CELLS)} />
    </section>
  )
}

/** How much was left out: errors, values of others that were kept, what a warning left out, and what was left out by hand. */
const countLeftOut = (preview: SheetPreview) => {
  const { found, groups } = listLeftOut(preview)
  const single = groups.get(undefined) ?? []
  const count = (state: SheetCell['state']) => single.filter((cell) => cell.state === state).length
  const suspects = found.length - single.length
  const [errors, conflicts] = [count('error'), count('conflict')]
  const others = single.length - errors - conflicts
  return [
    { count: errors, words: `${errors === 1 ? 'error' : 'errors'} left out` },
    { count: conflicts, words: `${conflicts === 1 ? 'value' : 'values'} of others kept` },
    { count: suspects, words: `${suspects === 1 ? 'value' : 'values'} left out after a warning` },
    { count: others, words: `${others === 1 ? 'value' : 'values'} you left out` },
  ].filter((one) => one.count > 0)
}

/** The preview of the sheet that was saved, as long as it lives: for the person who saved it, on the way from there. */
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

/** What of an uploaded sheet was left out. */
export const LeftOutCard = () => {
  const preview = useSavedSheet()
  return preview ? <LeftOut preview={preview} /> : null
}
