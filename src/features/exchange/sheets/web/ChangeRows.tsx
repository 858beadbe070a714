import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'

import { DiffText } from '../../../../platform/web/form/DiffText.tsx'
import { diffTexts } from '../../../../platform/web/form/text-diff.ts'
import { Tick } from '../../../../platform/web/list/Tick.tsx'
import type { SheetCell } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import type { CellChoice, Chosen, RowCells } from './sheet-choices.ts'
import { formatCell, useSheetFields } from './sheet-fields.ts'

import classes from './SheetPage.module.css'

const MAX_WHOLE_LENGTH = 120

/** 'Unit 3 → Unit 3B', the words around the difference of long texts on two lines. */
export const NowAndNew = ({ cell }: { cell: SheetCell }) => {
  const fields = useSheetFields()
  const [now, next] = [formatCell(fields, cell, cell.before), formatCell(fields, cell, cell.after)]
  const isLong = now.length > MAX_WHOLE_LENGTH || next.length > MAX_WHOLE_LENGTH
  return (
    <span className={classes.nowAndNew} data-long={isLong || undefined}>
      <VisuallyHidden component="span">from </VisuallyHidden>
      {isLong ? <span className={classes.note}>Now: </span> : null}
      <span className={classes.old}>
        {isLong || diffTexts(next, now).own === '' ? <DiffText text={now} other={next} isClipped={isLong} isOld /> : now}
      </span>
      {isLong ? <br /> : <IconArrowRight size={14} stroke={1.75} aria-hidden />}
      <VisuallyHidden component="span"> to </VisuallyHidden>
      {isLong ? <span className={classes.note}>New: </span> : null}
      {next === 'empty' ? (
        <mark className={classes.emptied}>empty</mark>
      ) : (
        <DiffText text={next} other={now === 'empty' ? '' : now} isClipped={isLong} />
      )}
    </span>
  )
}

interface ChangeRowsProps {
  readonly sheet: string
  readonly record: RowCells
  readonly chosen: Chosen
  readonly onChoose: (cells: readonly string[], choice: CellChoice | undefined) => void
}

/** The changed cells of one record, each with a box to leave it out. */
export const ChangeRows = ({ sheet, record: { name, cells }, chosen, onChoose }: ChangeRowsProps) => (
  <>
    {cells.map((cell, at) => {
      const isLeft = chosen.cells[cell.cell] === 'leave'
      return (
        <div key={cell.cell} className={classes.row} data-sheet-row data-left={isLeft || undefined} data-first={at === 0 || undefined}>
          <span className={classes.tick}>
            <Tick
              label={`Save ${cell.label} of ${name}`}
              checked={!isLeft}
              onTick={() => onChoose([cell.cell], isLeft ? undefined : 'leave')}
            />
          </span>
          <CellAddress sheet={sheet} cell={cell.cell} />
          {at === 0 ? <h3 className={classes.name}>{name}</h3> : <span />}
          <span className={classes.field}>{cell.label}</span>
          <div className={classes.values}>
            <NowAndNew cell={cell} />
          </div>
        </div>
      )
    })}
  </>
)

interface NewRowProps {
  readonly sheet: string
  readonly record: RowCells
  /** Why it is left out in spite of its tick. */
  readonly held: string | undefined
  readonly isLeft: boolean
  readonly onLeave: (isLeft: boolean) => void
}

/** A row that becomes a record. */
export const NewRow = ({ sheet, record: { row, name, cells }, held, isLeft, onLeave }: NewRowProps) => {
  const fields = useSheetFields()
  return (
    <div className={classes.row} data-sheet-row data-left={isLeft || held !== undefined || undefined} data-first>
      <span className={classes.tick}>
        <Tick label={`Save the new row ${name}`} checked={!isLeft} onTick={() => onLeave(!isLeft)} />
      </span>
      <CellAddress sheet={sheet} cell={String(row)} />
      <h3 className={classes.name}>{name}</h3>
      <span className={classes.field}>New row</span>
      <div className={classes.values}>
        <span>
          {cells.map((cell) => formatCell(fields, cell, cell.after)).join(' · ')}
          {held === undefined ? null : <span className={classes.problem}>{held}</span>}
        </span>
      </div>
    </div>
  )
}
