import { useState } from 'react'

import { send } from '../../../platform/web/client.ts'
import { Dialog } from '../../../platform/web/kit/Dialog.tsx'
import type { Site } from '../../sites/contract.ts'
import { removeSiteStaff, type SitePerson } from '../contract.ts'
import { useStaffChange } from './use-staff-change.ts'
import { useStaffDay } from './use-staff-day.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './StaffModals.module.css'

/** Removes one role of a person at a site; their other roles stay. */
export const RemoveStaffModal = ({ site, onClose }: { site: Site; onClose: () => void }) => {
  const [chosen, setChosen] = useState<SitePerson | null>(null)
  const day = useStaffDay(site, chosen?.role_match._id ?? '')
  const removing = useStaffChange(
    site,
    async ({ person, role_match }: SitePerson, saves) => {
      if (day.plan === null)
        return send(removeSiteStaff, { params: { id: site._id }, body: { person_id: person._id, role_id: role_match._id }, saves })
      await day.plan({ remove: [person._id] })
      return site
    },
    onClose,
  )
  const staff = site.people.toSorted(
    (a, b) => a.person.name.localeCompare(b.person.name) || a.role_match.name.localeCompare(b.role_match.name),
  )
  return (
    <Dialog
      title="Remove Staff"
      confirmLabel="Remove"
      isDestructive
      isDisabled={chosen === null || !day.isValid}
      isBusy={removing.isPending}
      error={removing.error}
      onConfirm={() => chosen && removing.mutate(chosen)}
      onClose={onClose}
    >
      <fieldset className={`${layoutClasses.scrolling} ${classes.roles}`}>
        <legend className={`${textClasses.strong} ${layoutClasses.bottomMargin8}`}>Choose the person and role to remove</legend>
        {staff.map((one, at) => (
          <label
            key={one._id}
            className={`${layoutClasses.choiceRow} ${layoutClasses.pressable} ${classes.choice}`}
            data-chosen={chosen?._id === one._id || undefined}
          >
            <input
              type="radio"
              name="remove"
              {...(at === 0 ? { 'data-autofocus': true } : {})}
              checked={chosen?._id === one._id}
              onChange={() => {
                setChosen(one)
                removing.reset()
              }}
            />
            <span className={layoutClasses.fillingColumn}>
              <strong>{one.person.name}</strong>
              <span className={classes.detail}>{one.role_match.name}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {day.field}
      {day.obstacle === null ? null : <p className={textClasses.error}>{day.obstacle}</p>}
      <p className={classes.note}>
        {day.plan === null ? 'You can restore this from the site’s History.' : 'You can cancel this until its day.'}
      </p>
    </Dialog>
  )
}
