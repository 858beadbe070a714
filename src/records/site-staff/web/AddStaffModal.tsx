import { useRef, useState } from 'react'

import { send } from '../../../platform/web/client.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import type { Person } from '../../people/contract.ts'
import { PersonPicker } from '../../people/web/public/PersonPicker.tsx'
import type { Site } from '../../sites/contract.ts'
import { addSiteStaff } from '../contract.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { useStaffChange } from './use-staff-change.ts'
import { useStaffDay } from './use-staff-day.tsx'

import textClasses from '../../../platform/web/kit/Text.module.css'

/** Adds a person to the staff of a site: a person found by name, and a role. */
export const AddStaffModal = ({ site, onClose }: { site: Site; onClose: () => void }) => {
  const [person, setPerson] = useState<Person | null>(null)
  const [role, setRole] = useState('')
  const day = useStaffDay(site, role)
  const saving = useStaffChange(
    site,
    async (chosen: Person, saves) => {
      if (day.plan === null) return send(addSiteStaff, { params: { id: site._id }, body: { person: chosen._id, role_match: role }, saves })
      await day.plan({ add: [chosen._id] })
      return site
    },
    onClose,
  )
  const roleField = useRef<HTMLSelectElement>(null)
  const choose = (next: Person | null) => {
    setPerson(next)
    saving.reset()
    if (next) requestAnimationFrame(() => roleField.current?.focus())
  }
  return (
    <Dialog
      title="Add Staff"
      confirmLabel="Save"
      isDisabled={person === null || role === '' || !day.isValid}
      isBusy={saving.isPending}
      error={saving.error}
      onConfirm={() => person && saving.mutate(person)}
      onClose={onClose}
    >
      <PersonPicker label="Search staff" chosen={person} isFirst onChoose={choose} />
      <RoleSelect
        ref={roleField}
        value={role}
        isRequired
        onChange={(next) => {
          setRole(next)
          saving.reset()
        }}
      />
      {day.field}
      {day.obstacle === null ? null : <p className={textClasses.error}>{day.obstacle}</p>}
    </Dialog>
  )
}
