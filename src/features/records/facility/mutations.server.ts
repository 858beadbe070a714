import { invalidFields } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { updateRecord } from '../../../database/update-record.server.ts'
import type { FacilityChange, FacilityInfo } from './contract.ts'

type Lease = Pick<FacilityInfo, 'lease_end_open'>

/** Throws 422 for an end date of an open-ended lease. */
export const validateFacility = (changed: FacilityChange, stored: Lease): void => {
  if (stored.lease_end_open && changed.lease_end && changed.lease_end_open === undefined)
    throw invalidFields([{ path: 'lease_end', message: 'An open-ended lease has no end date' }])
}

/** Updates a locked facility record. Checking Open Ended clears the end date of the lease. */
export const saveFacility = async (tx: Tx, site: string, changed: FacilityChange, stored: Lease): Promise<void> => {
  const isOpen = changed.lease_end_open ?? stored.lease_end_open
  await updateRecord(tx, 'facility', site, isOpen ? { ...changed, lease_end: null } : changed)
}
