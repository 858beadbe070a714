import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'

import { ShowMore } from '../../../../platform/web/kit/TextButton.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { SheetCell, SheetPreview } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { saveMarkedSheet, useSheetPreview } from './queries.ts'

import classes from './LeftOutCard.module.css'

const FIRST_CELLS = 10
const MORE_CELLS = 200

/** Why a cell was left out. */
const describe = ({ state, message }: SheetCell, warning: string | undefined): string => {
  if (state === 'error') return message ?? 'This value cannot be saved'
  if (warning !== undefined) return warning
  return state === 'conflict' ? 'The value of someone else was kept' : 'You left it out'
}

const LeftOut = ({ preview: { _id, sheet, cells, left, warnings } }: { preview: SheetPreview }) => {
  const [limit, setLimit] = useState(FIRST_CELLS)
  const addresses = new Set(left)
  const found = cells.filter(({ cell }) => addresses.has(cell))
  if (found.length === 0) return null
  const warningOf = (cell: string) => warnings.find(({ isSuspicious, cells: suspects }) => isSuspicious && suspects.includes(cell))?.message
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
        {found.slice(0, limit).map((cell, at) => (
          <li key={`${cell.cell} ${at}`} className={classes.row}>
            <CellAddress sheet={sheet} cell={cell.cell} />
            <span>
              <strong>{cell.name ?? `Row ${cell.row}`}</strong>, {cell.label}: {describe(cell, warningOf(cell.cell))}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore left={found.length - limit} step={MORE_CELLS} onShow={() => setLimit(limit + MORE_CELLS)} />
    </section>
  )
}

/** What of an uploaded sheet was left out, as long as its preview lives: for the person who saved it, on the way from there. */
export const LeftOutCard = () => {
  const [{ sheet = '' }] = useSearchParams()
  const { data } = useSheetPreview(sheet, sheet !== '')
  return data?.left ? <LeftOut preview={data} /> : null
}
