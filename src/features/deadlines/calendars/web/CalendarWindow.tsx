import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import { registerOpenForm } from '../../../../platform/web/form/open-forms.ts'
import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import { CalendarAddress, type GivenCalendar } from './CalendarAddress.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './CalendarWindow.module.css'

interface CalendarWindowProps {
  readonly title: string
  /** Its URL, once created; `children` are shown until then. */
  readonly given: GivenCalendar | null
  readonly children?: ReactNode
  readonly onClose: () => void
}

/**
 * The window of a calendar feed. Each step starts with the focus on its title. A URL is never shown again, so closing asks for confirmation if it was
 * neither copied nor opened, and a click outside does not close the window.
 */
export const CalendarWindow = ({ title, given, children, onClose }: CalendarWindowProps) => {
  const heading = useRef<HTMLSpanElement>(null)
  const [isTaken, setTaken] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const shownTitle = isConfirming ? 'Close without the address?' : title
  useEffect(registerOpenForm, [])
  useReturnFocus()
  useEffect(() => heading.current?.focus(), [shownTitle])
  const leave = () => {
    if (isConfirming) setConfirming(false)
    else if (given === null || isTaken) onClose()
    else setConfirming(true)
  }
  const content = () => {
    if (given === null) return children
    if (!isConfirming) return <CalendarAddress calendar={given} onTake={() => setTaken(true)} onDone={leave} />
    return (
      <div className={layoutClasses.stack}>
        <p>It was neither copied nor opened, and it is not shown again. You can make a new one in My account.</p>
        <div className={`${layoutClasses.buttons} ${classes.buttons}`}>
          <Button variant="default" onClick={leave}>
            Back
          </Button>
          <Button color="red" onClick={onClose}>
            Close without it
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Modal
      opened
      onClose={leave}
      closeOnClickOutside={false}
      size={540}
      title={
        <span ref={heading} tabIndex={-1} data-autofocus>
          {shownTitle}
        </span>
      }
    >
      {content()}
    </Modal>
  )
}
