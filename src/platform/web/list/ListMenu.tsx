import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { ButtonPanel } from '../kit/ButtonPanel.tsx'

import classes from './ListTools.module.css'

interface ListMenuProps {
  /** The name of the button and of its panel. */
  label: string
  /** The text of the button for a moment after its action. */
  confirmation?: string
  icon: Icon
  /** Whether only the icon is shown. */
  brief: boolean
  isDisabled: boolean
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** The entries. */
  children: ReactNode
}

/** A button above a list that opens a panel with the ways to do its action. */
export const ListMenu = ({ label, confirmation, icon: IconComponent, brief, isDisabled, isOpen, onToggle, children }: ListMenuProps) => (
  <ButtonPanel
    isOpen={isOpen}
    onToggle={onToggle}
    label={label}
    className={classes.panel}
    button={
      <button
        type="button"
        className={classes.button}
        aria-label={brief ? label : undefined}
        disabled={isDisabled}
        onClick={() => onToggle(!isOpen)}
      >
        <IconComponent size={17} stroke={1.75} aria-hidden />
        {brief ? null : confirmation || label}
      </button>
    }
  >
    {children}
  </ButtonPanel>
)
