import { Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { REQUIRED } from '../../../../contract/messages.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../../contract/records.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import type { ArchivableRecord } from '../../../../platform/web/record-features.tsx'
import { MAX_REASON_LENGTH, type Need, readArchiveState } from '../contract.ts'
import { useArchive } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ArchiveDialog.module.css'

const NeedItem = ({ need: { text, records, path } }: { need: Need }) => (
  <li className={`${layoutClasses.lineAbove} ${layoutClasses.blockPadding10}`}>
    <p className={textClasses.strong}>{path === null ? text : <TextLink to={path}>{text}</TextLink>}</p>
    {records.length > 0 ? (
      <ul aria-label={text}>
        {records.map((record) => (
          <li key={record._id}>
            <TextLink to={getRecordPath(record)}>{record.name}</TextLink>
          </li>
        ))}
      </ul>
    ) : null}
  </li>
)

interface ArchiveDialogProps {
  readonly record: ArchivableRecord
  readonly onClose: () => void
}

/** Asks why a record is archived, or lists what has to be given away first. */
export const ArchiveDialog = ({ record, onClose }: ArchiveDialogProps) => {
  const { kind, _id, name } = record
  const [noun] = RECORD_NOUNS[kind]
  const state = useQuery({ ...callQueryOptions(readArchiveState, { params: { kind, id: _id } }), staleTime: 0, gcTime: 0 })
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const archiving = useArchive(record, onClose)
  const needs = state.data?.needs ?? []
  return (
    <Dialog
      title={needs.length > 0 ? `This ${noun} is still needed` : `Archive ${name}?`}
      confirmLabel={`Archive ${noun}`}
      isDisabled={!state.data || needs.length > 0}
      isBusy={archiving.isPending}
      error={archiving.error ?? state.error}
      onConfirm={() => (reason.trim() === '' ? setMissing(true) : archiving.mutate(reason))}
      onClose={onClose}
    >
      {state.data ? (
        needs.length > 0 ? (
          <>
            <p>Give these away first, then archive {name}:</p>
            <ul className={`${layoutClasses.scrolling} ${classes.needs}`} aria-label="What needs it">
              {needs.map((need) => (
                <NeedItem key={need.text} need={need} />
              ))}
            </ul>
          </>
        ) : (
          <>
            <p>
              It is then in no list, search, feed or download, and cannot be changed. Its page stays, and restores it with a press. Lists
              show it under Archived.
            </p>
            <TextInput
              label="Reason"
              description="Everyone who opens the page can read it"
              required
              data-autofocus
              maxLength={MAX_REASON_LENGTH}
              value={reason}
              error={isMissing ? REQUIRED : null}
              onChange={({ currentTarget: { value } }) => {
                setMissing(false)
                setReason(value)
              }}
            />
          </>
        )
      ) : state.isError ? null : (
        <Skeleton height={120} />
      )}
    </Dialog>
  )
}
