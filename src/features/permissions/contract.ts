import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { id, recordFields } from '../../platform/contract/fields.ts'

/** A permission record (section 3): who holds which level in this application. */
export const Permission = z.strictObject({
  _id: id,
  applicationID: z.string(),
  personID: z.strictObject({
    /** The person in the directory, null where the grant went to an address that is none's (D10). */
    _id: id.nullable(),
    name: z.string(),
    azureID: z.string(),
  }),
  superAdmin: z.boolean(),
  accessLevel: z.int(),
  accessName: z.string(),
  ...recordFields,
})
export type Permission = z.infer<typeof Permission>

export const listPermissions = call({
  method: 'GET',
  path: '/api/permissions/app_permissions/:appId',
  needs: 'manage administrators',
  does: 'The permission records of an application (ours is APP_ID).',
  params: z.object({ appId: z.string().min(1).max(100) }),
  answer: z.array(Permission),
})
