import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { ButtonPanel } from '../kit/ButtonPanel.tsx'
import { ToolButton } from './ToolButton.tsx'

import classes from './ListTools.module.css'

interface ListMenuProps {
  /** The name of the button and of its panel. */
  label: string
  /** The text of the button for a moment after its action. */
  confirmation?: string
  icon: Icon
  isDisabled: boolean
  needsNetwork?: boolean
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** The entries. */
  children: ReactNode
}

/** A button above a list that opens a panel with the ways to do its action. */
export const ListMenu = ({ label, confirmation, icon, isDisabled, needsNetwork, isOpen, onToggle, children }: ListMenuProps) => (
  <ButtonPanel
    isOpen={isOpen}
    onToggle={onToggle}
    label={label}
    className={classes.panel}
    button={
      <ToolButton icon={icon} isDisabled={isDisabled} needsNetwork={needsNetwork} onClick={() => onToggle(!isOpen)}>
        {confirmation || label}
      </ToolButton>
    }
  >
    {children}
  </ButtonPanel>
)
