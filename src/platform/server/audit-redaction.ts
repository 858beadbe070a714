import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { sortKeys } from '../../contract/objects.ts'
import type { Db, Queryable, Tx } from '../../database/connection.server.ts'
import { type ChainedEvent, selectChainedEvents } from './audit-chain.ts'
import { type AuditActor, getSystemActor, recordAudit } from './audit.ts'

// Rows of the audit trail that lost personal texts keep their hash. A later row of the chain has the digest of what each of them says since, sealed with
// SECRET_KEY, which is not in the database: someone who changes a row there cannot pass it off as erased.

/** The key that seals, and the one before it during a rotation. */
export interface SealKeys {
  readonly secretKey?: string | undefined
  readonly secretKeyPrevious?: string | undefined
}

/** A row by its place in the chain, and the SHA-256 of what it says since. */
type RedactedRow = readonly [sequence: number, digest: string]

const Redaction = z.object({
  erasure: z.int(),
  rows: z.array(z.tuple([z.int(), z.string()])),
  seal: z.string().nullable(),
})
type Redaction = z.infer<typeof Redaction>

/** SHA-256 of a row as JSON with the hash that it had when it was written. */
export const digestEvent = (event: ChainedEvent): string => createHash('sha256').update(JSON.stringify(event, sortKeys)).digest('hex')

const seal = (secretKey: string, erasure: number, rows: readonly RedactedRow[]): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', secretKey, '', 'homeroom erasures', 32)))
    .update(JSON.stringify([erasure, rows]))
    .digest('hex')

const isSealedWith = (secretKey: string | undefined, { erasure, rows, seal: given }: Redaction): boolean => {
  if (secretKey === undefined || given === null) return false
  const [expected, stated] = [Buffer.from(seal(secretKey, erasure, rows)), Buffer.from(given)]
  return expected.length === stated.length && timingSafeEqual(expected, stated)
}

/** Keeps the values of an event below the size from which only their length is recorded. */
const MAX_ROWS_OF_EVENT = 1000

/** Records that rows of the chain were redacted by an erasure, with what they say since. */
export const recordRedactions = (tx: Tx, by: AuditActor, keys: SealKeys, erasure: number, events: readonly ChainedEvent[]): Promise<void> =>
  recordRows(
    tx,
    by,
    keys,
    erasure,
    events.map((event) => [event.sequence, digestEvent(event)]),
  )

const recordRows = async (
  tx: Tx,
  by: AuditActor,
  { secretKey }: SealKeys,
  erasure: number,
  rows: readonly RedactedRow[],
): Promise<void> => {
  for (let at = 0; at < rows.length; at += MAX_ROWS_OF_EVENT) {
    const some = rows.slice(at, at + MAX_ROWS_OF_EVENT)
    const after: Redaction = {
      erasure,
      rows: some.map(([sequence, digest]) => [sequence, digest]),
      seal: secretKey === undefined ? null : seal(secretKey, erasure, some),
    }
    await recordAudit(tx, by, { kind: 'audit.redacted', record: String(erasure), after })
  }
}

/** What is known of a redacted row. */
export interface KnownRedaction {
  readonly digest: string
  readonly erasure: number
  /** The row of the chain that says so. */
  readonly by: number
  /** Whether its seal is one of these keys; null if there is no key to compare it with. */
  readonly isSealed: boolean | null
}

const listRedactions = async (db: Queryable): Promise<(Redaction & { readonly sequence: number })[]> => {
  const rows = await selectChainedEvents(db).where('kind', '=', 'audit.redacted').orderBy('sequence').execute()
  return rows.flatMap(({ sequence, after }) => {
    const { data } = Redaction.safeParse(after)
    return data ? [{ ...data, sequence }] : []
  })
}

/** The latest redaction of each row that comes before it in the chain, by its sequence. */
export const readRedactions = async (
  db: Queryable,
  { secretKey, secretKeyPrevious }: SealKeys,
): Promise<ReadonlyMap<number, KnownRedaction>> => {
  const known = new Map<number, KnownRedaction>()
  for (const redaction of await listRedactions(db)) {
    const isSealed = secretKey === undefined ? null : isSealedWith(secretKey, redaction) || isSealedWith(secretKeyPrevious, redaction)
    for (const [sequence, digest] of redaction.rows)
      if (sequence < redaction.sequence) known.set(sequence, { digest, erasure: redaction.erasure, by: redaction.sequence, isSealed })
  }
  return known
}

/** During a rotation of SECRET_KEY: seals what the previous key sealed again, so that it can be verified without that key. */
export const resealRedactions = async (db: Db, { secretKey, secretKeyPrevious }: SealKeys): Promise<void> => {
  if (secretKey === undefined || secretKeyPrevious === undefined) return
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('audit_chain').select('sequence').forUpdate().execute()
    const all = await listRedactions(tx)
    const sealed = new Set(all.flatMap((one) => (isSealedWith(secretKey, one) ? JSON.stringify(one.rows) : [])))
    const latest = new Map(all.flatMap((one) => one.rows.map(([sequence]) => [sequence, one] as const)))
    for (const one of all) {
      const isLatest = one.rows.some(([sequence]) => latest.get(sequence) === one)
      if (isLatest && !sealed.has(JSON.stringify(one.rows)) && isSealedWith(secretKeyPrevious, one))
        await recordRows(tx, getSystemActor('Homeroom'), { secretKey }, one.erasure, one.rows)
    }
  })
}
