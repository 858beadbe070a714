import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconCircleCheckFilled, IconCircleMinus } from '@tabler/icons-react'
import { useId } from 'react'

import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { SheetCell } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { FixInput } from './FixInput.tsx'
import { type CellChoice, isFixable, type JudgeCell } from './sheet-choices.ts'
import { formatCell, useSheetFields } from './sheet-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

/** A cell that needs a decision. */
export interface CellRowProps {
  readonly sheet: string
  readonly cell: SheetCell
  readonly choice: CellChoice | undefined
  readonly judge: JudgeCell
  readonly onChoose: (choice: CellChoice | undefined) => void
}

const ICONS = {
  open: { icon: IconAlertCircle, tone: 'bad' },
  fixed: { icon: IconCircleCheckFilled, tone: 'ok' },
  left: { icon: IconCircleMinus, tone: 'off' },
} as const

/** An invalid cell, which can be fixed here or left out. */
export const SheetErrorRow = ({ sheet, cell, choice, judge, onChoose }: CellRowProps) => {
  const id = useId()
  const fields = useSheetFields()
  const typed = typeof choice === 'object' ? choice : undefined
  const problem = typed ? judge(cell, typed.value) : (cell.message ?? undefined)
  const isLeft = choice === 'leave' || !isFixable(cell)
  const state = isLeft ? 'left' : typed && problem === undefined ? 'fixed' : 'open'
  const { icon: Icon, tone } = ICONS[state]
  const written = formatCell(fields, cell, cell.after)
  const what = `${cell.label} of ${cell.name ?? `row ${cell.row}`}`
  return (
    <div className={`${textClasses.bodyFont} ${classes.row}`} data-sheet-row data-state={state}>
      <span className={classes.mark} data-tone={tone}>
        <Icon size={18} stroke={1.75} aria-hidden />
      </span>
      <CellAddress sheet={sheet} cell={cell.cell} />
      <h3 className={`${layoutClasses.breakable} ${classes.name}`}>{cell.name ?? `Row ${cell.row}`}</h3>
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
            value={typed ? typed.value : cell.after}
            isWrong={state === 'open'}
            describedBy={id}
            onChange={(value) => onChoose({ value })}
          />
        )}
        <span className={`${layoutClasses.inlineRow} ${textClasses.smallFont} ${classes.actions}`}>
          {state === 'fixed' ? <span className={`${textClasses.ok} ${textClasses.strong}`}>Fixed</span> : null}
          {state === 'fixed' ? (
            <TextButton onClick={() => onChoose(undefined)}>
              Undo<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
          {state === 'open' ? (
            <TextButton onClick={() => onChoose('leave')}>
              Leave out<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
          {state === 'left' && isFixable(cell) ? (
            <TextButton onClick={() => onChoose(undefined)}>
              Fix…<VisuallyHidden component="span"> {what}</VisuallyHidden>
            </TextButton>
          ) : null}
        </span>
      </div>
    </div>
  )
}
