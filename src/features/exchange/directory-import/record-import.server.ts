import { userInfo } from 'node:os'

import type { Tx } from '../../../database/connection.server.ts'
import { getSystemActor, recordAudit } from '../../../platform/server/audit.ts'

/** A user of this computer without a name, as in some containers. */
const getUserName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** Puts an import into the audit trail: of which file, how many rows, and by whom at this computer. */
export const recordImport = (
  tx: Tx,
  imported: { readonly what: 'charters' | 'staff' | 'legacy'; readonly file: string } & Readonly<Record<string, string | number>>,
): Promise<void> =>
  recordAudit(tx, getSystemActor('homeroom import'), { kind: 'import.finished', after: { ...imported, user: getUserName() } })
