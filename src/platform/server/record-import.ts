import { userInfo } from 'node:os'

import type { Tx } from '../../database/connection.server.ts'
import { getSystemActor, recordAudit } from './audit.ts'

/** The system user may have no name, as in some containers. */
const getUserName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

/** Records an import in the audit trail: which file, how many rows, and which system user. */
export const recordImport = (
  tx: Tx,
  imported: { readonly what: string; readonly file: string } & Readonly<Record<string, string | number>>,
): Promise<void> =>
  recordAudit(tx, getSystemActor('homeroom import'), { kind: 'import.finished', after: { ...imported, user: getUserName() } })
