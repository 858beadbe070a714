import { formatCount, formatNumber } from '../../../contract/format.ts'
import type { ChainPlace } from '../../../platform/server/audit-chain.ts'
import { type AuditVerification, verifyAuditTrail } from '../../../platform/server/audit-verification.ts'
import { parseCommandArguments } from '../../../platform/server/command-arguments.ts'
import type { CommandContext } from '../../../platform/server/command-context.ts'
import { readCommandConfiguration } from '../../../platform/server/configuration.ts'
import { type OpenedDatabase, withConfiguredDatabase } from '../../../platform/server/database.ts'
import { formatStartupError, StartupError } from '../../../platform/server/startup-errors.ts'

export const AUDIT_HELP = `Usage: homeroom audit verify [--expect SEQUENCE:HASH]

Reads the whole audit trail, while the server runs or not, and names rows that were changed, removed or added. It prints the last
row as SEQUENCE:HASH; keep that outside of the database and give it to a later run. Rows from which personal data was erased
are accepted if a later row of the trail says so and is sealed with SECRET_KEY: set it for this command too.

  --expect SEQUENCE:HASH  a row that was noted: also finds a trail that was rewritten as a whole

Exit code 0 when every row is as it was written, 1 when one is not or the trail cannot be read.`

const parseExpected = (value: string | undefined): ChainPlace | undefined => {
  if (value === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(value) ?? []
  if (sequence === undefined || hash === undefined) throw new StartupError('--expect takes SEQUENCE:HASH; see homeroom audit --help')
  return { sequence: Number(sequence), hash }
}

const formatRedacted = ({ rows, erasures, isSealed }: AuditVerification['redacted']): string =>
  `${formatCount(rows, 'row')} lost personal data, as ${erasures.length === 1 ? 'erasure' : 'erasures'} ${erasures.join(', ')} ${erasures.length === 1 ? 'says' : 'say'}${isSealed ? '' : '; without the SECRET_KEY of the server this is not proved'}`

/** `homeroom audit verify`: checks that no row of the audit trail was modified. */
export const auditCommand = async (args: readonly string[], { environment, out, err }: CommandContext): Promise<number> => {
  const writeLine = (line: string): void => void out.write(`${line}\n`)
  try {
    const { positionals, values } = parseCommandArguments('audit', args, { expect: { type: 'string' } }, 1)
    if (positionals[0] !== 'verify') throw new StartupError('Name what to do: audit verify; see homeroom audit --help')
    const expected = parseExpected(values.expect)
    const configuration = readCommandConfiguration(environment)
    const verify = ({ db }: OpenedDatabase) => verifyAuditTrail(db, expected, configuration)
    const { rows, redacted, waiting, last, defects } = await withConfiguredDatabase(configuration, writeLine, verify, { isUpToDate: false })
    for (const defect of defects) err.write(`${defect}\n`)
    writeLine(`${formatNumber(rows)} rows checked${waiting > 0 ? `, ${formatNumber(waiting)} not in the chain yet` : ''}`)
    if (redacted.rows > 0) writeLine(formatRedacted(redacted))
    if (last) writeLine(`Last row: ${last.sequence}:${last.hash}`)
    writeLine(defects.length === 0 ? 'Every row is as it was written' : 'The audit trail was changed')
    return defects.length === 0 ? 0 : 1
  } catch (error) {
    err.write(`${formatStartupError(error)}\n`)
    return 1
  }
}
