import { VisuallyHidden } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useId } from 'react'

import { formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { DiffText } from '../../../../platform/web/form/DiffText.tsx'
import { isLongText } from '../../../../platform/web/form/NowAndNew.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { SheetCell } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { FixInput } from './FixInput.tsx'
import type { CellChoice } from './sheet-choices.ts'
import { formatCell, useSheetFields } from './sheet-fields.ts'
import type { CellRowProps } from './SheetErrorRow.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SheetRows.module.css'

const formatAuthor = ({ theirsBy, theirsAt }: SheetCell): string =>
  [theirsBy ?? 'Someone else', theirsAt && formatMoment(theirsAt, configuration.timeZone)].filter(Boolean).join(', ')

/** A cell that someone else changed since the download: the other person's value is kept unless the user chooses otherwise. */
export const ConflictRow = ({ sheet, cells: [cell], chosen, judge, onChoose }: CellRowProps) => {
  const id = useId()
  const fields = useSheetFields()
  if (!cell) return null
  const choice = chosen.cells[cell.cell]
  const choose = (next: CellChoice | undefined) => onChoose([cell.cell], next)
  const typed = typeof choice === 'object' ? choice : undefined
  const problem = typed && judge(cell, typed.value)
  const [before, theirs, mine] = [cell.before, cell.theirs, cell.after].map((value) => formatCell(fields, cell, value)) as [
    string,
    string,
    string,
  ]
  const sides = [
    { side: 'theirs', text: theirs, other: mine, by: formatAuthor(cell), label: 'Theirs' },
    { side: 'mine', text: mine, other: theirs, by: 'You, in the file', label: 'Yours' },
  ] as const
  const chosenSide = typed ? 'typed' : choice === 'mine' ? 'mine' : 'theirs'
  return (
    <div className={`${textClasses.bodyFont} ${classes.row}`} data-sheet-row>
      <span className={classes.mark} data-tone="wait">
        <IconArrowsSplit2 size={18} stroke={1.75} aria-hidden />
      </span>
      <CellAddress sheet={sheet} cell={cell.cell} />
      <h3 className={`${layoutClasses.breakable} ${classes.name}`}>{cell.name}</h3>
      <span className={`${layoutClasses.content} ${classes.field}`}>
        {cell.label}
        <span className={`${textClasses.note} ${classes.note}`}>was {before}</span>
      </span>
      <fieldset className={`${layoutClasses.positioned} ${layoutClasses.shrinkable} ${layoutClasses.grid} ${classes.sides}`}>
        <VisuallyHidden component="legend">
          {cell.label} of {cell.name}: which value is saved
        </VisuallyHidden>
        {sides.map(({ side, text, other, by, label }) => (
          <label
            key={side}
            className={`${layoutClasses.row} ${layoutClasses.outlined} ${layoutClasses.pressable} ${classes.side}`}
            data-chosen={chosenSide === side || undefined}
          >
            <input
              type="radio"
              name={id}
              checked={chosenSide === side}
              aria-label={`${label}: ${text}. ${by}`}
              onChange={() => choose(side === 'theirs' ? undefined : side)}
            />
            <span>
              <DiffText text={text} other={other} isClipped={isLongText(text)} />
              <span className={`${textClasses.note} ${classes.note}`}>{by}</span>
            </span>
          </label>
        ))}
        <span className={`${layoutClasses.fullRow} ${classes.otherValue}`}>
          {typed ? (
            <>
              <span className={`${textClasses.note} ${classes.note}`} aria-hidden>
                Another value
              </span>
              <FixInput
                cell={cell}
                value={typed.value}
                isWrong={problem !== undefined}
                describedBy={`${id}-problem`}
                onChange={(value) => choose({ value })}
              />
              <span
                id={`${id}-problem`}
                className={`${layoutClasses.block} ${textClasses.error} ${textClasses.smallerFont} ${classes.problem}`}
                aria-live="polite"
              >
                {problem}
              </span>
            </>
          ) : (
            <TextButton aria-label={`Another value for ${cell.label} of ${cell.name ?? ''}`} onClick={() => choose({ value: cell.after })}>
              Another value…
            </TextButton>
          )}
        </span>
      </fieldset>
    </div>
  )
}
