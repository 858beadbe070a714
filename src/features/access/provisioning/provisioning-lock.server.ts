import { sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'

/** Allows one change of users or groups at a time, so that no sign-in or other change interferes. */
export const lockProvisioning = (tx: Tx) => sql`select pg_advisory_xact_lock(${LOCKS.provisioning})`.execute(tx)
