import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

import { readToken } from '../token.ts'
import { ChangesDialog } from './ChangesDialog.tsx'
import type { FieldsByPath } from './fields.ts'
import type { Values } from './values.ts'

interface UnsavedChangesGuardProps {
  readonly changed: readonly string[]
  readonly fields: FieldsByPath
  readonly base: Values
  readonly values: Values
}

const editIn = (search: unknown): unknown => (search as { edit?: unknown }).edit

/** Asks before leaving a page with unsaved changes, and lists them. Signing out is not blocked. */
export const UnsavedChangesGuard = ({ changed, fields, base, values }: UnsavedChangesGuardProps) => {
  const shouldConfirm = () => changed.length > 0 && readToken() !== null
  const blocker = useBlocker({
    // Search parameters of the form's own page, or its history panel, do not leave it.
    shouldBlockFn: ({ current, next }) =>
      shouldConfirm() && !(next.pathname === current.pathname && editIn(next.search) === editIn(current.search)),
    enableBeforeUnload: shouldConfirm,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <ChangesDialog
      title="Leave without saving?"
      changed={changed}
      fields={fields}
      base={base}
      values={values}
      about="Your changes stay in this browser until you sign out. You can restore them when you come back to this page."
      onClose={blocker.reset}
    >
      <Button variant="default" data-autofocus onClick={blocker.reset}>
        Stay
      </Button>
      <Button onClick={blocker.proceed}>Leave</Button>
    </ChangesDialog>
  )
}
