import { z } from 'zod'

import { id } from '../../platform/contract/fields.ts'
import { PersonReference, RoleReference } from '../../platform/contract/references.ts'

/** Somebody in a role at a site (section 3, people). One person may hold several roles there (D38). */
export const SitePerson = z.strictObject({ _id: id, person: PersonReference, role_match: RoleReference })
export type SitePerson = z.infer<typeof SitePerson>
