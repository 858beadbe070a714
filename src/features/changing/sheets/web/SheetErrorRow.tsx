import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconCircleCheckFilled, IconCircleMinus } from '@tabler/icons-react'
import { useId, useState } from 'react'

import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { SheetCell } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { FixInput } from './FixInput.tsx'
import { type CellChoice, type Chosen, isFixable, type JudgeCell } from './sheet-choices.ts'
import { formatCell, useSheetFields } from './sheet-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

/** Cells that need the same decision: one, except errors that one value can fix. */
export interface CellRowProps {
  readonly sheet: string
  readonly cells: readonly SheetCell[]
  readonly chosen: Chosen
  readonly judge: JudgeCell
  readonly onChoose: (cells: readonly string[], choice: CellChoice | undefined) => void
}

const ICONS = {
  open: { icon: IconAlertCircle, tone: 'bad' },
  fixed: { icon: IconCircleCheckFilled, tone: 'ok' },
  left: { icon: IconCircleMinus, tone: 'off' },
} as const

/** How many names of records a line of several cells shows. */
const MAX_NAMES = 3
const getName = ({ name, row }: SheetCell): string => name ?? `Row ${row}`
const listNames = (cells: readonly SheetCell[]): string => {
  const names = cells.slice(0, MAX_NAMES).map(getName).join(', ')
  return cells.length > MAX_NAMES ? `${names} and ${(cells.length - MAX_NAMES).toLocaleString('en-US')} more` : names
}

interface ErrorLineProps extends CellRowProps {
  /** Shows a line for each cell. */
  readonly onSplit?: () => void
}

const ErrorLine = ({ sheet, cells, chosen, judge, onChoose, onSplit }: ErrorLineProps) => {
  const id = useId()
  const fields = useSheetFields()
  const [cell] = cells
  if (!cell) return null
  const choice = chosen.cells[cell.cell]
  const choose = (next: CellChoice | undefined) =>
    onChoose(
      cells.map((one) => one.cell),
      next,
    )
  const typed = typeof choice === 'object' ? choice : undefined
  const problem = typed ? judge(cell, typed.value) : (cell.message ?? undefined)
  const isLeft = choice === 'leave' || !isFixable(cell)
  const state = isLeft ? 'left' : typed && problem === undefined ? 'fixed' : 'open'
  const { icon: Icon, tone } = ICONS[state]
  const written = formatCell(fields, cell, cell.after)
  const name = cells.length > 1 ? `${cells.length.toLocaleString('en-US')} cells` : getName(cell)
  const what = `${cell.label} of ${name}`
  return (
    <div className={`${textClasses.bodyFont} ${classes.row}`} data-sheet-row data-state={state}>
      <span className={classes.mark} data-tone={tone}>
        <Icon size={18} stroke={1.75} aria-hidden />
      </span>
      <CellAddress sheet={sheet} cell={cell.cell} />
      <h3 className={`${layoutClasses.breakable} ${classes.name}`}>
        {name}
        {onSplit ? (
          <span className={`${textClasses.note} ${textClasses.regular} ${classes.note}`}>
            {listNames(cells)}{' '}
            <TextButton isUnderlined onClick={onSplit}>
              Fix separately<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          </span>
        ) : null}
      </h3>
      <span className={`${layoutClasses.content} ${classes.field}`}>{cell.label}</span>
      <div className={classes.values}>
        <span className={`${layoutClasses.content} ${classes.typedValue}`}>
          <span className={textClasses.dimmed}>{written === 'empty' ? 'empty' : `“${written}”`}</span>
          <span
            id={id}
            className={`${layoutClasses.block} ${textClasses.error} ${textClasses.smallerFont} ${classes.problem}`}
            data-quiet={state !== 'open' || undefined}
            aria-live="polite"
          >
            {state === 'fixed' ? cell.message : (problem ?? cell.message)}
          </span>
        </span>
        {isLeft ? (
          <span className={textClasses.dimmed}>Left out</span>
        ) : (
          <FixInput
            cell={cell}
            name={name}
            value={typed ? typed.value : cell.after}
            isWrong={state === 'open'}
            describedBy={id}
            onChange={(value) => choose({ value })}
          />
        )}
        <span className={`${layoutClasses.inlineRow} ${textClasses.smallFont} ${classes.actions}`}>
          {state === 'fixed' ? <span className={`${textClasses.ok} ${textClasses.strong}`}>Fixed</span> : null}
          {state === 'fixed' ? (
            <TextButton onClick={() => choose(undefined)}>
              Undo<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
          {state === 'open' ? (
            <TextButton onClick={() => choose('leave')}>
              Leave out<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
          {state === 'left' && isFixable(cell) ? (
            <TextButton onClick={() => choose(undefined)}>
              Fix…<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
        </span>
      </div>
    </div>
  )
}

/** Invalid cells, which can be fixed here or left out: as one line with one fix, until someone wants to fix them separately. */
export const SheetErrorRow = (props: CellRowProps) => {
  const { cells, chosen } = props
  const [isSplit, setSplit] = useState(() => new Set(cells.map(({ cell }) => JSON.stringify(chosen.cells[cell]))).size > 1)
  if (cells.length === 1) return <ErrorLine {...props} />
  return isSplit ? (
    cells.map((cell) => <ErrorLine key={cell.cell} {...props} cells={[cell]} />)
  ) : (
    <ErrorLine {...props} onSplit={() => setSplit(true)} />
  )
}
