import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { readBackupFile } from '../../../src/backup/backup-file.server.ts'
import type { Db } from '../../../src/database/connection.server.ts'
import type { Proof } from '../../support/proof.ts'
import { digestTables, listDifferences } from '../../support/schema-dump.ts'
import { type BackupRun, type TargetDatabase, runCommand, runCommandOrThrow } from './databases.ts'
import { type RecordedResponses, listChangedResponses } from './read-everything.ts'

/** A server's responses before its network was restored elsewhere, and how to send the same requests to another server. */
export interface ResponsesBefore {
  readonly pictures: number
  readonly answers: RecordedResponses
  readonly readFrom: (target: TargetDatabase) => Promise<RecordedResponses>
}

const isPicture = (name: string): boolean => name.includes(': /api/pictures/')

/** Restores a backup into a new target of each kind: its rows, all responses and all pictures equal the source; a second restore is refused. */
export const checkRestored = async (run: BackupRun, { pictures, answers, readFrom }: ResponsesBefore): Promise<void> => {
  const { proof, targets, source, atRest: file } = run
  const all = [...answers].map(([name, answer]) => ({ name, ...answer }))
  const count = (matches: (answer: (typeof all)[number]) => boolean): number => all.filter(matches).length
  const report = (what: string, matches: Parameters<typeof count>[0]): void =>
    proof.report(`${source.kind}: of these, ${what}`, count(matches))
  proof.report(`${source.kind}: responses kept, of levels 1 and 10`, all.length)
  report(`responses of one of its ${pictures} pictures`, ({ name }) => isPicture(name))
  report('responses that state when their own session was last used (compared without that time)', ({ hasOwnMoments }) => hasOwnMoments)
  report('searches with more hits than are ranked (not compared, since any of them may be shown)', ({ isOpen }) => isOpen)
  report('other than 200 (a request of another person, a word too short)', ({ line }) => !line.startsWith('200 '))
  const failed = count(({ line }) => line.startsWith('5'))
  proof.expectEqual(`${source.kind}: of these, 500 or more`, failed, 0)

  const rows = await digestRows(file)
  for (const kind of targets.kinds) {
    const target = await targets.create(kind)
    const way = `${source.kind} → ${kind}`
    const ms = await runCommandOrThrow('restore', file, target.settings)
    proof.log(`${way}: restored in ${(ms / 1000).toFixed(1)} s`)

    proof.expectEqual(`${way}: sessions and API tokens that live there`, await target.withDatabase(countActiveAccess), 0)
    const second = `${file} again from ${kind}`
    await runCommandOrThrow('backup', second, target.settings)
    const otherRows = listDifferences('rows', await digestRows(second), rows)
    proof.expectNone(`${way}: tables with other rows in a backup of the new database`, otherRows)

    await target.withDatabase(reviveAccess)
    const otherwise = listChangedResponses(answers, await readFrom(target))
    const otherPictures = otherwise.filter(isPicture)
    const otherAnswers = otherwise.filter((one) => !isPicture(one))
    proof.expectNone(`${way}: responses that differ in a byte`, otherAnswers)
    proof.expectNone(`${way}: pictures that differ in a byte`, otherPictures)
    await checkUsedTarget(proof, way, target, file)
  }
}

const countActiveAccess = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ living: number }>`select ((select count(*) from session where "endedAt" is null)
    + (select count(*) from api_token where "endedAt" is null))::int as living`.execute(db)
  return rows[0]?.living ?? 0
}

/** Revalidates the sessions and tokens that the restore ended, for requests with them. The restore ended all of them at the same, latest moment. */
const reviveAccess = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ at: string }>`select max("endedAt")::text as at from session`.execute(db)
  for (const table of ['session', 'api_token'])
    await sql`update ${sql.table(table)} set "endedAt" = null where "endedAt" = ${rows[0]?.at}::timestamptz`.execute(db)
}

/** Tables whose rows a restore changes: it ends sessions and API tokens, deletes the provider's tokens, and adds an audit event. */
const ENDED = new Set(['session', 'api_token', 'account', 'audit_event'])

/** A restore into a database with records is refused and changes nothing. */
const checkUsedTarget = async (proof: Proof, way: string, target: TargetDatabase, file: string): Promise<void> => {
  const before = await target.withDatabase(digestTables)
  const { code, printed } = await runCommand('restore', file, target.settings)
  const isRefused = code === 1 && /^This place is not empty; restore into a new one \(.*\)$/.test(printed)
  if (!isRefused) proof.log(`${way}, again: ${code} ${printed}`)
  proof.expectEqual(`${way}: a second restore is refused in one line`, Number(isRefused), 1)
  proof.expectNone(`${way}: tables that it changed`, listDifferences('rows', await target.withDatabase(digestTables), before))
}

/** The contents of each table in a backup, regardless of row order, except those that a restore changes. */
const digestRows = async (file: string): Promise<Record<string, string>> => {
  const sums = new Map<string, string[]>()
  let table: string[] = []
  let isEnded = false
  for await (const line of readBackupFile(file))
    if ('table' in line) {
      isEnded = ENDED.has(line.table)
      if (!isEnded) sums.set(`${line.table} (${line.columns.join(', ')})`, (table = []))
    } else if ('row' in line && !isEnded) table.push(createHash('sha256').update(line.row).digest('hex'))
  return Object.fromEntries([...sums].map(([name, rows]) => [name, createHash('sha256').update(rows.toSorted().join('\n')).digest('hex')]))
}
