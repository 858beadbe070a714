import { Skeleton, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { formatDay } from '../../../../contract/dates.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { send } from '../../../../platform/web/client.ts'
import { SendingDialog } from '../../../../platform/web/kit/SendingDialog.tsx'
import { callQueryOptions, queryClient } from '../../../../platform/web/queries.ts'
import type { PersonalRecord } from '../../../../platform/web/record-features.tsx'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { erase, type ErasurePreview, MAX_REASON_LENGTH, readErasurePreview } from '../contract.ts'
import { describeRemoved } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './EraseModal.module.css'

const Preview = ({ preview: { removed, shared, backups } }: { preview: ErasurePreview }) => (
  <>
    <p>
      The name, numbers, addresses and account are removed for good, with every copy in histories, requests, comments and emails. What this
      person did stays, under a name such as “Erased person 12”. Roles end.
    </p>
    <div>
      <p className={textClasses.strong}>Personal data is in</p>
      <ul className={`${layoutClasses.scrolling} ${classes.removed}`} aria-label="What will be removed">
        {describeRemoved(removed).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
    {shared.length > 0 ? (
      <p>
        {shared.join(', ')}: others have {shared.length === 1 ? 'this' : 'these'} too, so it stays in their records and in texts.
      </p>
    ) : null}
    <p>
      {backups.until === null
        ? 'Backups that were made before still have this data. This server makes none: ask the operator of the database how long theirs are kept.'
        : `Backups still have this data until ${formatDay(backups.until)}, when the last of the ${backups.kept} daily ones is deleted. Restoring one erases it again.`}
    </p>
  </>
)

interface EraseModalProps {
  record: PersonalRecord
  onErased: (() => Promise<void>) | undefined
  onClose: () => void
}

/** Erases someone: shows what is removed, and asks for the reason and for the name. */
export const EraseModal = ({ record: { kind, _id, name }, onErased, onClose }: EraseModalProps) => {
  const navigate = useNavigate()
  const preview = useQuery({ ...callQueryOptions(readErasurePreview, { params: { kind, id: _id } }), staleTime: 0, gcTime: 0 })
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const { data } = preview
  const isConfirmed = typed.trim() === name.trim() && reason.trim() !== ''
  return (
    <SendingDialog
      title={`Erase the personal data of ${name}?`}
      confirmLabel="Erase for Good"
      isDestructive
      size={640}
      isDisabled={!data || data.refusal !== null || !isConfirmed}
      note="This cannot be undone."
      onSend={() => send(erase, { body: { kind, _id, reason } })}
      onSent={async ({ name: erased, backups: { until } }) => {
        if (kind === 'person') await navigate({ to: getRecordPath({ kind, slug: _id }), replace: true })
        await onErased?.()
        void queryClient.invalidateQueries()
        showSuccess({
          text: `The personal data was erased. The record is called ${erased} now.${until === null ? '' : ` Backups have it until ${formatDay(until)}.`}`,
        })
        onClose()
      }}
      onClose={onClose}
    >
      {data?.refusal ? (
        <p className={textClasses.error}>{data.refusal}</p>
      ) : data ? (
        <>
          <Preview preview={data} />
          <Textarea
            label="Reason"
            description="Kept with the erasure. The name is removed from it."
            required
            rows={2}
            maxLength={MAX_REASON_LENGTH}
            value={reason}
            onChange={({ currentTarget: { value } }) => setReason(value)}
          />
          <TextInput
            label={`Type ${name} to confirm`}
            required
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </>
      ) : preview.isError ? (
        <p className={textClasses.error}>{preview.error.message}</p>
      ) : (
        <Skeleton height={240} />
      )}
    </SendingDialog>
  )
}
