import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { type Proof, readNumberOptions, runProof } from '../support/proof.ts'
import { readKnownValues } from '../support/read-paths.ts'
import { createServer } from '../support/server.ts'
import { openTemporaryFolder } from '../support/temporary-folder.ts'
import { waitForUnsentMails, withNetworkUnderLoad } from '../support/writers/network-under-load.ts'
import { backUpUnderLoad, checkDaily, checkBackupsUnderLoad, checkNoDaily, putOlderBackups } from './backup/backups-under-load.ts'
import {
  type BackupRun,
  openTargetDatabases,
  type TargetDatabase,
  type TargetDatabases,
  POSTGRES,
  PRIVATE,
  runCommandOrThrow,
} from './backup/databases.ts'
import { addExtraRecords } from './backup/extra-records.ts'
import { type RecordedResponses, SKIPPED_CALLS, UNREAD_CALLS, READ_CALLS, readEverything, type Reader } from './backup/read-everything.ts'
import { killBackups, killRestores, checkDamagedFiles, checkDamagedRestores } from './backup/refused-files.ts'
import { type ResponsesBefore, checkRestored } from './backup/restored-databases.ts'

// A backup made during writes is a single snapshot of the network; after a restore into an empty database of either kind, the server's responses are
// byte for byte the same.

const EXTENT = readNumberOptions({
  /** Backups of each kind of database during writes. */
  backups: 3,
  /**
   * How long the private database is written to; the other one is written to for a third of that. A server makes its daily backup a minute after
   * startup: a shorter time skips that part.
   */
  seconds: 65,
  /** Positions at which a backup is truncated and modified; for a small backup, a hundred times as many. */
  damaged: 200,
  /** Backups and restores that are killed with -9 midway. */
  kills: 4,
})

/** The last use of a session is stored once a minute. */
const A_MINUTE = 61_000
/** The time until the daily backup, with a margin. */
const UNTIL_DAILY = 60

/** All checks of backups of a network on `source`; their file names begin with `files`. */
const backUpAndRestore = async (proof: Proof, targets: TargetDatabases, source: TargetDatabase, files: string): Promise<void> => {
  const isPrivate = source.kind === PRIVATE
  const older = isPrivate ? await putOlderBackups(source.settings.DATA_DIR) : []
  await withNetworkUnderLoad(source.settings, async (network) => {
    const { server } = network
    const run: BackupRun = { proof, targets, network, source, files, atRest: `${files}.backup` }
    const signIn = async (level: number): Promise<Reader> => ({ level, headers: (await server.signInAt(level)).headers })
    const readers = [await signIn(1), await signIn(10)]
    await addExtraRecords(network, readers.map(({ headers }) => headers)) // prettier-ignore
    const completedAt = Date.now()
    const seconds = isPrivate ? EXTENT.seconds : EXTENT.seconds / 3
    const backups = await backUpUnderLoad(run, EXTENT.backups, seconds)
    if (isPrivate && seconds >= UNTIL_DAILY) backups.push(...(await checkDaily(run, older)))
    await stopWriting(run)
    await pause(Math.max(0, completedAt + A_MINUTE - Date.now()))
    if (!isPrivate) await checkNoDaily(run)

    const responses = await backUpAtRest(run, readers)
    await server.stop()
    await checkBackupsUnderLoad(run, backups)
    await checkRestored(run, responses)
    await killBackups(run, EXTENT.kills)
    // Files do not depend on the kind of source, so damage is checked for one only.
    if (!isPrivate) return
    await checkDamagedRestores(run)
    await killRestores(run, EXTENT.kills)
  })
}

/** Stops the writers, and waits for pending mails. */
const stopWriting = async ({ proof, source: { kind }, network: { writers, server } }: BackupRun): Promise<void> => {
  await writers.stop()
  const { acknowledged, wrong, broken } = writers.tally
  proof.report(`${kind}: acknowledged saves of 8 writers`, acknowledged.length)
  proof.expectNone(`${kind}: responses to them other than 2xx, 409, 412 and 503 with Retry-After`, [...wrong, ...broken])
  if ((await server.withDatabase(waitForUnsentMails)) > 0) throw new Error('Mails do not leave, so that the network does not come to rest')
}

/**
 * Backs up a network, and requests everything from its server; returns the responses, and how to send the same requests to a server on another
 * database.
 */
const backUpAtRest = async ({ network: { server }, atRest }: BackupRun, readers: readonly Reader[]): Promise<ResponsesBefore> => {
  const since = Date.now()
  await runCommandOrThrow('backup', atRest, server.environment)
  const known = await server.withDatabase(readKnownValues)
  const readResponses = async (url: string): Promise<RecordedResponses> => {
    // The use of their sessions is stored after the first response.
    for (const { headers } of readers) await fetch(`${url}/auth`, { headers })
    await pause(1500)
    return readEverything(url, known, readers, since)
  }
  const { DATABASE_URL: _, ...environment }: Record<string, string> = server.environment
  return {
    pictures: known.pictures.length,
    answers: await readResponses(server.url),
    readFrom: async ({ settings }) => {
      await using restored = await createServer({ ...environment, ...settings, SAMPLE: 'none' })
      await restored.start()
      return await readResponses(restored.url)
    },
  }
}

/** Backs up each kind of database during writes and at rest, and restores it into each kind of target. */
await runProof('backup', async (proof) => {
  await using folder = await openTemporaryFolder()
  await using targets = await openTargetDatabases(folder.path)
  if (targets.version === undefined) proof.log(`Left out: ${POSTGRES}, since there is none of the system here (apt-get install postgresql)`)
  proof.report('Kinds of database', [...targets.kinds].join(', ') + (targets.version === undefined ? '' : ` ${targets.version}`))
  proof.report('Calls that read', READ_CALLS)
  proof.report('Steps of a sign-in, which are not called', SKIPPED_CALLS)
  proof.expectNone('Calls that read and are not called', UNREAD_CALLS)
  for (const kind of targets.kinds) await backUpAndRestore(proof, targets, await targets.create(kind), join(folder.path, `of ${kind}`))
  await checkDamagedFiles(proof, targets, folder.path, EXTENT.damaged)
})
