import { Button } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'

import { formatDay, toIsoDay } from '../../../../../contract/dates.ts'
import { RECORD_NOUNS } from '../../../../../contract/records.ts'
import { useCan } from '../../../../../platform/web/caller.ts'
import { configuration } from '../../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../../platform/web/failures.ts'
import { HeadAction } from '../../../../../platform/web/kit/HeadAction.tsx'
import { Notice } from '../../../../../platform/web/kit/Notice.tsx'
import type { ArchivableRecord } from '../../../../../platform/web/record-features.tsx'
import { createStore, useStore } from '../../../../../platform/web/store.ts'
import { useRestore } from '../queries.ts'

const ArchiveDialog = lazy(() => import('../ArchiveDialog.tsx').then((module) => ({ default: module.ArchiveDialog })))

/** The record whose dialog is open. Outside the component, because rotating a phone mounts it again. */
const openFor = createStore<string | null>(null)

/** On the page of a record in use: archives it. */
export const ArchiveAction = ({ record }: { record: ArchivableRecord }) => {
  const mayArchive = useCan('archive a record')
  const isOpen = useStore(openFor) === record._id
  if (!mayArchive || record.archived) return null
  return (
    <>
      <HeadAction icon={IconArchive} opensDialog isBrief onClick={() => openFor.set(record._id)}>
        Archive…
      </HeadAction>
      {isOpen ? (
        <Suspense>
          <ArchiveDialog record={record} onClose={() => openFor.set(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** On the page of an archived record: says so, and restores it. */
export const ArchivedNotice = ({ record }: { record: ArchivableRecord }) => {
  const mayRestore = useCan('archive a record')
  const restoring = useRestore(record)
  const { archived, kind } = record
  if (!archived) return null
  const by = archived.by === null ? '' : ` by ${archived.by}`
  return (
    <Notice tone="off">
      <span>
        <strong>
          This {RECORD_NOUNS[kind][0]} was archived on {formatDay(toIsoDay(archived.at, configuration.timeZone))}
          {by}.
        </strong>
        {archived.reason === null ? null : <> Reason: {archived.reason}</>}
        {restoring.error ? <span role="alert"> {errorMessage(restoring.error)}</span> : null}
      </span>
      {mayRestore ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArchiveOff size={16} stroke={1.75} />}
          loading={restoring.isPending}
          onClick={() => restoring.mutate()}
          data-print="no"
        >
          Restore
        </Button>
      ) : null}
    </Notice>
  )
}
