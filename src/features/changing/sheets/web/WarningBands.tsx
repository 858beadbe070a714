import { Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import type { SheetPreview } from '../contract.ts'
import { CellAddress } from './CellAddress.tsx'
import { CellChange } from './ChangeRows.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './WarningBands.module.css'

interface WarningBandProps {
  readonly preview: SheetPreview
  readonly warning: SheetPreview['warnings'][number]
  readonly isUsed: boolean
  readonly onUse: (isUsed: boolean) => void
}

const MAX_SHOWN = 100

/** Changes that are valid but look like an accident: their cells are left out unless the user chooses to use them. */
const SuspiciousBand = ({ preview, warning: { message, cells }, isUsed, onUse }: WarningBandProps) => {
  const [isOpen, setOpen] = useState(false)
  const shown = new Set(cells.slice(0, MAX_SHOWN))
  const found = isOpen ? preview.cells.filter(({ cell }) => shown.has(cell)) : []
  return (
    <div className={`${layoutClasses.waitGround} ${layoutClasses.bottomMargin12} ${layoutClasses.spaced} ${classes.warning}`} role="alert">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <div className={`${layoutClasses.filling} ${textClasses.smallFont} ${classes.text}`}>
        <p className={`${textClasses.strong} ${textClasses.bodyFont} ${classes.title}`}>{message}</p>
        <p>
          {isUsed
            ? `You use ${cells.length === 1 ? 'it' : `these ${cells.length.toLocaleString('en-US')}`} anyway.`
            : cells.length === 1
              ? 'This cell is left out until you use it, and not counted below.'
              : `These ${cells.length.toLocaleString('en-US')} are left out until you use them, and not counted below.`}
        </p>
        {isOpen ? (
          <ul className={`${layoutClasses.rounded} ${textClasses.textColor} ${layoutClasses.scrolling} ${classes.suspects}`}>
            {found.map((cell) => (
              <li key={cell.cell}>
                <CellAddress sheet={preview.sheet} cell={cell.cell} />
                <span>
                  <strong>{cell.name}</strong>, {cell.label}
                </span>
                <CellChange cell={cell} />
              </li>
            ))}
            {cells.length > found.length ? <li>and {formatCount(cells.length - found.length, ['more', 'more'])}</li> : null}
          </ul>
        ) : null}
      </div>
      <div className={`${layoutClasses.topRow} ${layoutClasses.rigid} ${layoutClasses.wrapping} ${classes.actions}`}>
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide them' : `Show the ${cells.length.toLocaleString('en-US')}`}
        </Button>
        <Button variant="default" onClick={() => onUse(!isUsed)}>
          {isUsed ? 'Leave them out' : 'Use them anyway'}
        </Button>
      </div>
    </div>
  )
}

interface WarningBandsProps {
  readonly preview: SheetPreview
  readonly used: readonly number[]
  readonly onUse: (nth: number, isUsed: boolean) => void
}

/** The warnings about a file, likely accidents first. */
export const WarningBands = ({ preview, used, onUse }: WarningBandsProps) => {
  const numbered = preview.warnings.map((warning, nth) => ({ warning, nth }))
  const informing = numbered.filter(({ warning }) => !warning.isSuspicious)
  return (
    <>
      {numbered
        .filter(({ warning }) => warning.isSuspicious)
        .map(({ warning, nth }) => (
          <SuspiciousBand
            key={nth}
            preview={preview}
            warning={warning}
            isUsed={used.includes(nth)}
            onUse={(isUsed) => onUse(nth, isUsed)}
          />
        ))}
      {informing.length > 0 ? (
        <ul className={`${textClasses.note} ${layoutClasses.grid} ${classes.notes}`} aria-label="About this file">
          {informing.map(({ warning, nth }) => (
            <li key={nth}>
              <IconInfoCircle size={17} stroke={1.75} aria-hidden />
              {warning.message}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
