import { invalidFields } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { updateRecord } from '../../../database/update-record.server.ts'
import type { FacilityChange, FacilityInfo } from './contract.ts'

/** Updates a locked facility record. An open-ended lease has no end date: checking Open Ended clears it, and none can be set while it is checked. */
export const saveFacility = async (
  tx: Tx,
  site: string,
  changed: FacilityChange,
  stored: Pick<FacilityInfo, 'lease_end_open'>,
): Promise<void> => {
  const isOpen = changed.lease_end_open ?? stored.lease_end_open
  if (isOpen && changed.lease_end && changed.lease_end_open === undefined)
    throw invalidFields([{ path: 'lease_end', message: 'An open-ended lease has no end date' }])
  await updateRecord(tx, 'facility', site, isOpen ? { ...changed, lease_end: null } : changed)
}
