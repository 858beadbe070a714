import { Button } from '@mantine/core'
import { IconDoorExit } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'

import { toIsoDay, formatDay } from '../../../../contract/dates.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { Notice } from '../../../../platform/web/kit/Notice.tsx'
import { useDialogOpener } from '../../../../platform/web/kit/use-dialog-opener.ts'
import type { LeavingPerson } from '../../../../platform/web/record-features.tsx'
import { createStore, useStore } from '../../../../platform/web/store.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

const LeaveModal = lazy(() => import('../DepartureModal.tsx').then((module) => ({ default: module.DepartureModal })))
const ReturnModal = lazy(() => import('../UndoDepartureModal.tsx').then((module) => ({ default: module.UndoDepartureModal })))

/** The button that marks a person as left. */
export const DepartureButton = ({ person }: { person: LeavingPerson }) => {
  const mayEdit = useCan('edit a person')
  const { isOpen, opener, open, close } = useDialogOpener()
  if (!mayEdit || person.leftAt !== null) return null
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        className={layoutClasses.topMargin16}
        leftSection={<IconDoorExit size={17} stroke={1.75} />}
        onClick={open}
        data-print="no"
      >
        Mark as No Longer Employed…
      </Button>
      {isOpen ? (
        <Suspense>
          <LeaveModal person={person} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The person whose dialog is open. Outside the component, because rotating a phone mounts it again. */
const openUndoFor = createStore<string | null>(null)

/** The notice that a person has left, with a button to undo it. */
export const DepartureNotice = ({ person }: { person: LeavingPerson }) => {
  const mayEdit = useCan('edit a person')
  const isOpen = useStore(openUndoFor) === person._id
  if (person.leftAt === null) return null
  return (
    <Notice tone="off">
      <strong>
        {person.name} is no longer employed as of {formatDay(toIsoDay(person.leftAt, configuration.timeZone))}
      </strong>
      {mayEdit ? (
        <Button size="compact-sm" variant="default" onClick={() => openUndoFor.set(person._id)} data-print="no">
          Undo…
        </Button>
      ) : null}
      {isOpen ? (
        <Suspense>
          <ReturnModal person={person} onClose={() => openUndoFor.set(null)} />
        </Suspense>
      ) : null}
    </Notice>
  )
}
