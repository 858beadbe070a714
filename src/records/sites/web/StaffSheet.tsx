import { NO_NUMBER, formatPhone } from '../../../contract/phones.ts'
import type { Site } from '../contract.ts'
import { AREA_LEADERSHIP, LOCAL_LEADERSHIP, listOtherStaff } from './leadership.ts'

import classes from './StaffSheet.module.css'

/** Print only: the staff outside the leadership; on the screen they have their own page. */
export const StaffSheet = ({ site }: { site: Site }) => {
  const others = listOtherStaff(site.people, [...LOCAL_LEADERSHIP, ...AREA_LEADERSHIP])
  if (others.length === 0) return null
  return (
    <section className={classes.sheet}>
      <h2>Staff</h2>
      <ul>
        {others.map(({ person, roles }) => (
          <li key={person._id}>
            <span>
              <strong>{person.name}</strong>
              <br />
              {roles.join(', ')}
            </span>
            <span className={classes.number}>{person.phone ? formatPhone(person.phone) : NO_NUMBER}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
