import { NowAndNew } from '../../../../platform/web/form/NowAndNew.tsx'
import { Tick } from '../../../../platform/web/list/Tick.tsx'
import type { SheetCell } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import type { CellChoice, Chosen, RowCells } from './sheet-choices.ts'
import { formatCell, useSheetFields } from './sheet-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

/** The change of a cell as text. */
export const CellChange = ({ cell }: { cell: SheetCell }) => {
  const fields = useSheetFields()
  return <NowAndNew now={formatCell(fields, cell, cell.before)} next={formatCell(fields, cell, cell.after)} />
}

interface ChangeRowsProps {
  readonly sheet: string
  readonly record: RowCells
  readonly chosen: Chosen
  readonly onChoose: (cells: readonly string[], choice: CellChoice | undefined) => void
}

/** The changed cells of one record, each with a checkbox to leave it out. */
export const ChangeRows = ({ sheet, record: { name, cells }, chosen, onChoose }: ChangeRowsProps) => (
  <>
    {cells.map((cell, at) => {
      const isLeft = chosen.cells[cell.cell] === 'leave'
      return (
        <div
          key={cell.cell}
          className={`${textClasses.bodyFont} ${classes.row}`}
          data-sheet-row
          data-left={isLeft || undefined}
          data-first={at === 0 || undefined}
        >
          <span className={`${layoutClasses.inlineFlex} ${classes.tick}`}>
            <Tick
              label={`Save ${cell.label} of ${name}`}
              checked={!isLeft}
              onTick={() => onChoose([cell.cell], isLeft ? undefined : 'leave')}
            />
          </span>
          <CellAddress sheet={sheet} cell={cell.cell} />
          {at === 0 ? <h3 className={`${layoutClasses.breakable} ${classes.name}`}>{name}</h3> : <span />}
          <span className={`${layoutClasses.content} ${classes.field}`}>{cell.label}</span>
          <div className={classes.values}>
            <CellChange cell={cell} />
          </div>
        </div>
      )
    })}
  </>
)

interface NewRecordRowProps {
  readonly sheet: string
  readonly record: RowCells
  /** Why it is left out although it is selected. */
  readonly held: string | undefined
  readonly isLeft: boolean
  readonly onLeave: (isLeft: boolean) => void
}

/** A row that becomes a record. */
export const NewRecordRow = ({ sheet, record: { row, name, cells }, held, isLeft, onLeave }: NewRecordRowProps) => {
  const fields = useSheetFields()
  return (
    <div
      className={`${textClasses.bodyFont} ${classes.row}`}
      data-sheet-row
      data-left={isLeft || held !== undefined || undefined}
      data-first
    >
      <span className={`${layoutClasses.inlineFlex} ${classes.tick}`}>
        <Tick label={`Save the new row ${name}`} checked={!isLeft} onTick={() => onLeave(!isLeft)} />
      </span>
      <CellAddress sheet={sheet} cell={String(row)} />
      <h3 className={`${layoutClasses.breakable} ${classes.name}`}>{name}</h3>
      <span className={`${layoutClasses.content} ${classes.field}`}>New row</span>
      <div className={classes.values}>
        <span>
          {cells.map((cell) => formatCell(fields, cell, cell.after)).join('\u00a0· ')}
          {held === undefined ? null : (
            <span className={`${layoutClasses.block} ${textClasses.error} ${textClasses.smallerFont} ${classes.problem}`}>{held}</span>
          )}
        </span>
      </div>
    </div>
  )
}
