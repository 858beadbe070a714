import { sql } from 'kysely'

import type { CheckedBody } from '../../contract/call.ts'
import { formatDay, subtractYear, toIsoDay } from '../../contract/dates.ts'
import { invalidFields, Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../platform/server/app-context.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import { getSubjectName, isValidAt } from '../../platform/server/signing-certificate.ts'
import { buildDocument } from './content/build-document.server.ts'
import { type DossierScope, readScope } from './content/scope.server.ts'
import type { createDossier } from './contract.ts'
import type { DossierDocument } from './document.ts'
import { DOSSIER_PARTS, type DossierPart, KEEP_DAYS } from './rules.ts'
import { digest, toSigningKey } from './signing-key.server.ts'
import { type DossierFiles, writeFiles } from './write-files.server.ts'

/** Unfinished dossiers of one account, and of all. */
const MAX_WAITING_OF_ACCOUNT = 3
const MAX_WAITING = 30
/** A server that makes a dossier says so more often; after this time it has stopped, and another one makes it. */
const STALE = '30 seconds'
const SAY_SO_MS = 5_000
const MAX_ATTEMPTS = 3

const refuse = (path: string, message: string): Problem => invalidFields([{ path, message }])

/** Validates a request and puts it into the queue; returns its `_id`, and the charter. */
export const insertDossier = async (
  context: AppContext,
  user: SignedIn,
  body: CheckedBody<typeof createDossier>,
): Promise<{ readonly _id: string; readonly charter: string }> => {
  const { readModel, configuration, db } = context
  const today = toIsoDay(context.now(), configuration.timeZone)
  const { on = today, to = on, from = subtractYear(to), parts = DOSSIER_PARTS } = body
  const charter = await findModelId(readModel, 'charter', body.charter)
  const { archivedAt, name } = readModel.table('charter').need(charter)
  if (archivedAt !== null) throw refuse('charter', 'This charter is archived')
  if (on > today) throw refuse('on', 'The day must not be in the future')
  if (to > today) throw refuse('to', 'The day must not be in the future')
  if (from > to) throw refuse('from', `Enter a day that is not after ${formatDay(to)}`)
  // Days in the future and before the history, and days on which the charter did not exist.
  const past = await context.asOf(on)
  await past.readModel.ready()
  if (past.readModel.table('charter').get(charter) === undefined) throw refuse('on', 'The charter did not exist on this day')
  return db.transaction().execute(async (tx) => {
    // Counted one after the other.
    await sql`lock table dossier in share row exclusive mode`.execute(tx)
    const { rows } = await sql<{ own: number; all: number }>`
      select count(*) filter (where account = ${user.account}::uuid)::int as own, count(*)::int as all
      from dossier where state in ('waiting', 'making')`.execute(tx)
    const { own, all } = rows[0] ?? { own: 0, all: 0 }
    if (own >= MAX_WAITING_OF_ACCOUNT || all >= MAX_WAITING)
      throw new Problem(429, 'Several dossiers are being made already', { detail: 'Try again in a moment.', retryAfter: 10 })
    const { _id } = await tx
      .insertInto('dossier')
      .values({
        account: user.account,
        by: user.name,
        charter,
        name,
        on,
        from,
        to,
        parts: DOSSIER_PARTS.filter((part) => parts.includes(part)),
        createdAt: context.now(),
      })
      .returning('_id')
      .executeTakeFirstOrThrow()
    return { _id, charter }
  })
}

/** Takes the oldest dossier that waits, or whose server has stopped; one server at a time makes each. */
export const claimDossier = async (db: Db) => {
  await sql`
    update dossier set state = 'failed', failure = 'The server stopped several times while it was made.'
    where state = 'making' and "seenAt" < now() - ${STALE}::interval and attempts >= ${MAX_ATTEMPTS}`.execute(db)
  return db
    .updateTable('dossier')
    .set((eb) => ({ state: 'making', attempts: eb('attempts', '+', 1), seenAt: sql<Date>`now()`, progress: 0 }))
    .where('_id', '=', (eb) =>
      eb
        .selectFrom('dossier as next')
        .select('next._id')
        .where(sql<boolean>`next.state = 'waiting' or (next.state = 'making' and next."seenAt" < now() - ${STALE}::interval)`)
        .orderBy('next.createdAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}
type Claimed = NonNullable<Awaited<ReturnType<typeof claimDossier>>>

const isOfThisAttempt = ({ _id, attempts }: Claimed) => sql<boolean>`_id = ${_id}::uuid and attempts = ${attempts} and state = 'making'`

/** Whether one of the records was changed after the state was read, so that parts may be of different moments. */
const hasChanged = async ({ db }: AppContext, { records, past, change }: DossierScope): Promise<boolean> => {
  if (past.before) return false
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from change where parent = any(${[...records]}::text[]) and _id > ${change}) as found`.execute(db)
  return rows[0]?.found ?? false
}
const MAX_READS = 3

/** Reads everything again if it was changed in between; a charter that is changed all the time is read three times. */
const readDocument = async (
  context: AppContext,
  { _id, by, parts, charter, on, from, to }: Claimed,
  madeAt: Date,
  signedBy: string | null,
): Promise<{ readonly document: DossierDocument; readonly change: number }> => {
  for (let reads = 1; ; reads++) {
    const scope = await readScope(context, { charter, on, from, to })
    const document = await buildDocument(scope, { _id, by, parts: parts as DossierPart[], madeAt, signedBy })
    if (reads === MAX_READS || !(await hasChanged(context, scope))) return { document, change: scope.change }
  }
}

const storeFiles = async (db: Db, claimed: Claimed, { pdf, zip }: DossierFiles, values: object): Promise<void> => {
  const files = await Promise.all(
    (['pdf', 'zip'] as const).map(async (kind) => {
      const bytes = kind === 'pdf' ? pdf : zip
      return { dossier: claimed._id, kind, sha256: await digest(bytes), size: bytes.length, bytes: Buffer.from(bytes.buffer) }
    }),
  )
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('dossier')
      .set({ ...values, state: 'done', progress: 100 })
      .where(isOfThisAttempt(claimed))
      .executeTakeFirst()
    // Another server has taken it over.
    if (numUpdatedRows === 0n) return
    for (const file of files) await tx.insertInto('dossier_file').values(file).execute()
  })
}

const getFailure = (error: unknown): string =>
  error instanceof Problem ? (error.errors?.[0]?.message ?? error.message) : 'An unexpected error happened; the log of the server has it.'

/** Reading the records is the first part of the progress. */
const READ_PERCENT = 10

/** Makes a dossier that was claimed, and stores its files or why it failed. One that is interrupted waits again. */
export const makeDossier = async (context: AppContext, claimed: Claimed, stopping: AbortSignal): Promise<void> => {
  const { db, log, configuration } = context
  const { dossierCertificate } = configuration
  const madeAt = context.now()
  const [own] = dossierCertificate?.chain ?? []
  const signer = dossierCertificate && own && isValidAt(own, madeAt) ? { own, key: toSigningKey(dossierCertificate) } : null
  let progress = 0
  const saySo = async (): Promise<void> => {
    await db
      .updateTable('dossier')
      .set({ progress, seenAt: sql<Date>`now()` })
      .where(isOfThisAttempt(claimed))
      .execute()
  }
  const show = (percent: number): void => {
    progress = percent
    void saySo().catch(() => undefined)
  }
  const timer = setInterval(() => show(progress), SAY_SO_MS)
  try {
    const signedBy = signer ? getSubjectName(signer.own) : null
    const { document, change } = await readDocument(context, claimed, madeAt, signedBy)
    show(READ_PERCENT)
    let shown = READ_PERCENT
    const onProgress = (part: number): void => {
      const percent = READ_PERCENT + Math.floor(part * (99 - READ_PERCENT))
      if (percent >= shown + 10) show((shown = percent))
    }
    const files = await writeFiles({ document, signing: signer?.key ?? null }, onProgress, stopping)
    clearInterval(timer)
    const certificate = signer ? await digest(new Uint8Array(signer.own.raw)) : null
    await storeFiles(db, claimed, files, { madeAt, change, pages: files.pages, signedBy, certificate, failure: null })
  } catch (error) {
    clearInterval(timer)
    const isStopped = stopping.aborted
    if (!isStopped && !(error instanceof Problem)) log.error({ err: error, dossier: claimed._id }, 'A dossier could not be made')
    const values = isStopped
      ? { state: 'waiting' as const, attempts: claimed.attempts - 1, progress: 0 }
      : { state: 'failed' as const, failure: getFailure(error) }
    await db.updateTable('dossier').set(values).where(isOfThisAttempt(claimed)).execute()
  }
}

/** Deletes files after their time; the sums remain, so that they can still be verified. Requests that failed are forgotten. */
export const deleteOldDossiers = async (db: Db): Promise<void> => {
  const isOld = sql<boolean>`"createdAt" < now() - ${`${KEEP_DAYS} days`}::interval`
  await db
    .updateTable('dossier_file')
    .set({ bytes: null })
    .where('bytes', 'is not', null)
    .where('dossier', 'in', (eb) =>
      eb
        .selectFrom('dossier')
        .select('_id')
        .where(sql<boolean>`"madeAt" < now() - ${`${KEEP_DAYS} days`}::interval`),
    )
    .execute()
  await db.deleteFrom('dossier').where('state', '=', 'failed').where(isOld).execute()
}
