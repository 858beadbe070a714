import { Button } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'

import { formatDay, toIsoDay } from '../../../../../contract/dates.ts'
import { isErasedName } from '../../../../../contract/erased-names.ts'
import { useCan } from '../../../../../platform/web/caller.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { Notice } from '../../../../../platform/web/kit/Notice.tsx'
import { useDialogOpener } from '../../../../../platform/web/kit/use-dialog-opener.ts'
import { callQueryOptions } from '../../../../../platform/web/queries.ts'
import type { PersonalRecord } from '../../../../../platform/web/record-features.tsx'
import { listErasures } from '../../contract.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'

const EraseModal = lazy(() => import('../EraseModal.tsx').then((module) => ({ default: module.EraseModal })))

/** The button that erases someone, for level 1. `onErased` updates a form that shows them. */
export const EraseButton = ({ record, onErased }: { record: PersonalRecord; onErased?: () => Promise<void> }) => {
  const mayErase = useCan('erase personal data')
  const { isOpen, opener, open, close } = useDialogOpener()
  if (!mayErase || isErasedName(record.kind, record.name)) return null
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        className={layoutClasses.topMargin8}
        leftSection={<IconEraser size={17} stroke={1.75} />}
        onClick={open}
        data-print="no"
      >
        Erase Personal Data…
      </Button>
      {isOpen ? (
        <Suspense>
          <EraseModal record={record} onErased={onErased} onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}

/** When, by whom and why someone was erased; for level 1. */
const ErasureDetails = ({ record }: { record: PersonalRecord }) => {
  const { data = [] } = useQuery(callQueryOptions(listErasures))
  const erasure = data.find(({ _id }) => _id === record._id)
  if (!erasure) return null
  const { at, by, reason, backups } = erasure
  return (
    <span className={layoutClasses.breakable}>
      Erased on {formatDay(toIsoDay(at, configuration.timeZone))}
      {by === null ? '' : ` by ${by}`}: {reason}.
      {backups.until === null ? '' : ` Backups may have the data until ${formatDay(backups.until)}.`}
    </span>
  )
}

/** The notice on the page of someone who was erased. */
export const ErasedNotice = ({ record }: { record: PersonalRecord }) => {
  const mayErase = useCan('erase personal data')
  if (!isErasedName(record.kind, record.name)) return null
  return (
    <Notice tone="off">
      <strong>{record.name}: the personal data of this person was erased</strong>
      {mayErase ? <ErasureDetails record={record} /> : null}
    </Notice>
  )
}
