import { Popover } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

interface ButtonPanelProps {
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  /** The button that opens it, which gets the focus back. */
  readonly button: ReactElement
  readonly label: string
  readonly className: string | undefined
  /** In pixels; without it as wide as its contents. */
  readonly width?: number
  readonly position?: 'bottom-start' | 'bottom-end'
  readonly children: ReactNode
}

/** A panel below the button that opens it. */
export const ButtonPanel = ({ isOpen, onToggle, button, label, className, width, position = 'bottom-end', children }: ButtonPanelProps) => (
  <Popover
    opened={isOpen}
    onChange={onToggle}
    position={position}
    width={width ?? 'max-content'}
    shadow="md"
    radius="lg"
    trapFocus
    returnFocus
    withinPortal
  >
    <Popover.Target>{button}</Popover.Target>
    <Popover.Dropdown aria-label={label} className={className}>
      {children}
    </Popover.Dropdown>
  </Popover>
)
