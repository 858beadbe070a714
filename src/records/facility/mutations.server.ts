import { invalidFields } from '../../contract/problem.ts'
import type { FacilityChange, FacilityInfo } from './contract.ts'

type Lease = Pick<FacilityInfo, 'lease_end_open'>

/** Throws 422 for an end date of an open-ended lease. */
export const validateFacility = (changed: FacilityChange, stored: Lease): void => {
  if (stored.lease_end_open && changed.lease_end && changed.lease_end_open === undefined)
    throw invalidFields([{ path: 'lease_end', message: 'An open-ended lease has no end date' }])
}

/** The columns of a change: an open-ended lease has no end date. */
export const toFacilityColumns = (changed: FacilityChange, stored: Lease): FacilityChange =>
  (changed.lease_end_open ?? stored.lease_end_open) ? { ...changed, lease_end: null } : changed
