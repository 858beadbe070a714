import { useEffect, useRef } from 'react'

import layoutClasses from '../kit/Layout.module.css'
import classes from './Tick.module.css'

interface TickProps {
  label: string
  checked: boolean
  /** Some of its rows are selected. */
  isMixed?: boolean
  onTick: (isRange: boolean) => void
}

/** A checkbox that selects a row; with Shift, all rows since the last one. */
export const Tick = ({ label, checked, isMixed = false, onTick }: TickProps) => {
  const box = useRef<HTMLInputElement>(null)
  const isRange = useRef(false)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed
  }, [isMixed])
  return (
    <span className={`${layoutClasses.positioned} ${layoutClasses.rigid} ${layoutClasses.targetSize} ${classes.target}`}>
      <input
        ref={box}
        type="checkbox"
        className={`${layoutClasses.stretched} ${layoutClasses.pressable} ${classes.input}`}
        aria-label={label}
        checked={checked}
        onMouseDown={(event) => {
          // Prevents Shift from selecting the text between two rows.
          if (event.shiftKey) event.preventDefault()
        }}
        onClick={(event) => {
          isRange.current = event.shiftKey
        }}
        onChange={() => onTick(isRange.current)}
      />
      <svg viewBox="0 0 16 16" aria-hidden className={classes.box}>
        <path d={isMixed ? 'M4 8h8' : 'M3.5 8.5l3 3 6-6.5'} />
      </svg>
    </span>
  )
}
