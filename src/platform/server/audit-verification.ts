import { sql } from 'kysely'

import type { Db, Tx } from '../../database/connection.server.ts'
import { type ChainedEvent, type ChainPlace, hashEvent, selectChainedEvents, toChainedEvent } from './audit-chain.ts'
import { digestEvent, type KnownRedaction, readRedactions, type SealKeys } from './audit-redaction.ts'

export interface AuditVerification {
  /** Rows that were checked. */
  readonly rows: number
  /** Rows that lost personal texts, and the erasures that say so; `isSealed` is whether SECRET_KEY proves it for all of them. */
  readonly redacted: { readonly rows: number; readonly erasures: readonly number[]; readonly isSealed: boolean }
  /** Rows that are not in the chain yet. */
  readonly waiting: number
  /** The last row of the chain, to be stored outside the database; null if the chain has never had one. */
  readonly last: ChainPlace | null
  /** Defects found, at most 20, in chain order. */
  readonly defects: readonly string[]
}

const MAX_DEFECTS = 20
const BATCH_ROWS = 2000

const formatRows = (from: number, to: number): string => (from === to ? `Row ${from}` : `Rows ${from} to ${to}`)
const describeMissing = (from: number, to: number): string => `${formatRows(from, to)} ${from === to ? 'is' : 'are'} missing`
const describeAdded = (from: number, to: number): string => `${formatRows(from, to)} ${from === to ? 'was' : 'were'} added`

/** Whether a row records that the rows before the start of the chain were deleted at the end of their retention period. */
const isDeletionRecorded = async (tx: Tx, { sequence, hash }: ChainPlace): Promise<boolean> => {
  const recorded = await tx
    .selectFrom('audit_event')
    .select('_id')
    .where('kind', '=', 'audit.deleted')
    .where(sql<boolean>`after @> ${JSON.stringify({ sequence, hash })}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return recorded !== undefined
}

/** The defect of a row whose hash is that of other contents; undefined if an erasure explains it. */
const describeChanged = (event: ChainedEvent, redaction: KnownRedaction | undefined): string | undefined => {
  const changed = `Row ${event.sequence} was changed`
  if (redaction?.digest !== digestEvent(event)) return changed
  return redaction.isSealed === false
    ? `${changed}: row ${redaction.by} calls it erased, but is not sealed with this SECRET_KEY`
    : undefined
}

/**
 * Reads the whole chain and reports rows that were changed, removed or added. `expected` is a row stored outside the database, such as the last one
 * of an earlier verification; with it, a chain that was rebuilt from some row on is detected too.
 */
export const verifyAuditTrail = async (db: Db, expected?: ChainPlace, keys: SealKeys = {}): Promise<AuditVerification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const defects: string[] = []
      const report = (defect: string): void => {
        if (defects.length < MAX_DEFECTS) defects.push(defect)
      }
      const { rows: counts } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from audit_event where sequence is null`.execute(tx)
      const waiting = counts[0]?.waiting ?? 0
      const chain = await tx.selectFrom('audit_chain').selectAll().executeTakeFirst()
      const redacted = { rows: 0, erasures: new Set<number>(), isSealed: true }
      const toResult = (rows: number, last: ChainPlace | null): AuditVerification => ({
        rows,
        redacted: { ...redacted, erasures: [...redacted.erasures] },
        waiting,
        last,
        defects,
      })
      if (!chain) {
        report('The table audit_chain is empty')
        return toResult(0, null)
      }
      const redactions = await readRedactions(tx, keys)
      const checkContents = (before: string, event: ChainedEvent): void => {
        if (event.hash === hashEvent(before, event)) return
        const redaction = redactions.get(event.sequence)
        const defect = describeChanged(event, redaction)
        if (defect !== undefined || !redaction) return report(defect ?? '')
        redacted.rows++
        redacted.erasures.add(redaction.erasure)
        redacted.isSealed &&= redaction.isSealed === true
      }

      let previous: ChainPlace = { sequence: chain.deletedSequence, hash: chain.deletedHash }
      const compare = ({ sequence, hash }: ChainPlace): void => {
        if (expected?.sequence === sequence && expected.hash !== hash) report(`Row ${sequence} is not the one that was noted`)
      }
      compare(previous)
      if (previous.sequence > 0 && !(await isDeletionRecorded(tx, previous)))
        report(`${describeMissing(1, previous.sequence)}, and no row says that they were deleted`)
      if (expected && expected.sequence < previous.sequence)
        report(`Row ${expected.sequence}, which was noted, is among those that were deleted: note a later one`)
      let rows = 0
      for (let after = 0; ;) {
        const batch = await selectChainedEvents(tx).where('sequence', '>', after).orderBy('sequence').limit(BATCH_ROWS).execute()
        for (const event of batch.map(toChainedEvent)) {
          const { sequence } = event
          after = sequence
          rows++
          if (sequence <= chain.deletedSequence) {
            report(`Row ${sequence} was added`)
            continue
          }
          // After a gap there is no hash to continue from.
          if (sequence > previous.sequence + 1) report(describeMissing(previous.sequence + 1, sequence - 1))
          else checkContents(previous.hash, event)
          compare(event)
          previous = event
        }
        if (batch.length < BATCH_ROWS) break
      }
      if (previous.sequence < chain.sequence) report(describeMissing(previous.sequence + 1, chain.sequence))
      else if (previous.sequence > chain.sequence) report(describeAdded(chain.sequence + 1, previous.sequence))
      else if (previous.hash !== chain.hash) report(`Row ${previous.sequence} was changed`)
      if (expected && expected.sequence > previous.sequence) report(`Row ${expected.sequence}, which was noted, is missing`)
      return toResult(rows, chain.sequence === 0 ? null : { sequence: chain.sequence, hash: chain.hash })
    })
