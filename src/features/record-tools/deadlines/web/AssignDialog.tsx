import { useState } from 'react'

import type { Named } from '../../../../contract/references.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { DEADLINE_KINDS } from '../fields.ts'
import { useDeadlineRecords } from './deadline-records.ts'
import { type DeadlineDialogProps, useDeadlineChange } from './use-deadline-change.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineDialog.module.css'

const describeDefault = ({ responsible, responsibleFrom, kind, region }: DeadlineDialogProps['deadline']): string => {
  const name = DEADLINE_KINDS[kind].name
  if (responsible === null) return 'Nobody is responsible so far.'
  if (responsibleFrom === 'deadline') return 'Without a person, the one named in the settings is responsible.'
  return `So far ${responsible.name} is, as for every deadline of the kind ${name}${responsibleFrom === 'region' && region ? ` in ${region.name}` : ''}.`
}

/** Selects the responsible person. Removing them restores the person from the settings. */
export const AssignDialog = ({ deadline, onSaved, onClose }: DeadlineDialogProps) => {
  const { PersonPicker } = useDeadlineRecords()
  const change = useDeadlineChange({ deadline, onSaved })
  const own = deadline.responsibleFrom === 'deadline' ? deadline.responsible : null
  const [person, setPerson] = useState<Named | null>(own)
  return (
    <Dialog
      title="Who is responsible?"
      confirmLabel="Assign"
      isDisabled={person?._id === own?._id}
      isBusy={change.isSaving}
      error={change.error}
      onConfirm={() => change.save({ responsible: person?._id ?? null })}
      onClose={onClose}
    >
      <p className={classes.about}>
        <strong>{deadline.title}</strong>
        {deadline.charter || deadline.site ? `, ${(deadline.charter ?? deadline.site)?.name}` : null}
      </p>
      <PersonPicker label="Responsible" chosen={person} isFirst onChoose={setPerson} />
      <p className={`${textClasses.caption} ${classes.hint}`}>{describeDefault(deadline)}</p>
    </Dialog>
  )
}
