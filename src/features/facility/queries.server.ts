import type { Queryable } from '../../database/connection.server.ts'
import { moment } from '../../database/json.server.ts'

/** Facility records (FacilityInfo). */
export const facilities = (db: Queryable) =>
  db
    .selectFrom('facility')
    .select((eb) => [
      'facility.county',
      'facility.lease_holder',
      'facility.lease_start',
      'facility.lease_end',
      'facility.lease_end_open',
      'facility.apn',
      'facility.sq_footage',
      'facility.phone_2',
      'facility.partnership',
      'facility.fac_notes',
      'facility.agreement_type',
      'facility.signage_language',
      'facility.original_lease_holder',
      'facility.base_rent',
      'facility.option_renew',
      'facility.lease_notes',
      'facility.guarantor',
      'facility.original_lease_holder_released',
      'facility.original_guarantor_released',
      'facility.leaseTerm',
      'facility.version',
      moment(eb.ref('facility.updatedAt')).as('updatedAt'),
      'facility.updatedBy',
    ])
