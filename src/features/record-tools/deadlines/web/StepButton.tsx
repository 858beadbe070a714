import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import classes from './StepButton.module.css'

const ICONS = { back: IconChevronLeft, forward: IconChevronRight }

/** Shows an earlier or a later time span. */
export const StepButton = ({ direction, label, onClick }: { direction: keyof typeof ICONS; label: string; onClick: () => void }) => {
  const Icon = ICONS[direction]
  return (
    <button type="button" className={classes.button} aria-label={label} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </button>
  )
}
