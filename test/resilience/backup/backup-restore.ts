import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { readConfiguration } from '../../../src/platform/server/configuration.ts'
import type { Proof } from '../../support/proof.ts'
import { createRestartableServer } from '../../support/restartable-server.ts'
import { signInAt } from '../../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../../support/temporary-folder.ts'
import { type NetworkUnderLoad, waitForUnsentMails, withNetworkUnderLoad } from '../../support/writers/network-under-load.ts'
import { backUpWhileWritten, checkDaily, checkLoaded, checkNoDaily, type LoadedBackup, putOlderBackups } from './backups-under-load.ts'
import { openTargetDatabases, type TargetDatabase, type TargetDatabases, POSTGRES, PRIVATE, runCommandOrThrow } from './databases.ts'
import { addExtraRecords } from './extra-records.ts'
import {
  type RecordedResponses,
  SKIPPED_CALLS,
  UNREAD_CALLS,
  readKnown,
  READ_CALLS,
  readEverything,
  type Reader,
} from './read-everything.ts'
import { killBackups, killRestores, checkDamagedFiles, checkDamagedRestores } from './refused-files.ts'
import { type ResponsesBefore, checkRestored } from './restored-databases.ts'

/** The scale of the run. */
export interface BackupExtent {
  /** Backups of each kind of database during writes. */
  readonly backups: number
  /**
   * How long the private database is written to; the other one is written to for a third of that. A server makes its daily backup a minute after
   * startup: a shorter time skips that part.
   */
  readonly seconds: number
  /** Positions at which a backup is truncated and modified; for a small backup, a hundred times as many. */
  readonly damaged: number
  /** Backups and restores that are killed with -9 midway. */
  readonly kills: number
}

/** The last use of a session is stored once a minute. */
const A_MINUTE = 61_000
/** The time until the daily backup, with a margin. */
const UNTIL_DAILY = 60

/** Backs up each kind of database during writes and at rest, and restores it into each kind of target. */
export const runBackupProof = async (proof: Proof, extent: BackupExtent): Promise<void> => {
  const folder = await createTemporaryFolder()
  const places = await openTargetDatabases(folder)
  try {
    if (places.version === undefined)
      proof.log(`Left out: ${POSTGRES}, since there is none of the system here (apt-get install postgresql)`)
    proof.report('Kinds of database', [...places.kinds].join(', ') + (places.version === undefined ? '' : ` ${places.version}`))
    proof.report('Calls that read', READ_CALLS)
    proof.report('Steps of a sign-in, which are not called', SKIPPED_CALLS)
    proof.expectNone('Calls that read and are not called', UNREAD_CALLS)
    for (const kind of places.kinds) await backUpAndRestore(proof, places, await places.make(kind), join(folder, `of ${kind}`), extent)
    await checkDamagedFiles(proof, places, folder, extent.damaged)
  } finally {
    await places.stop()
    await removeFolder(folder)
  }
}

/** All checks of backups of one kind of database; their file names begin with `files`. */
const backUpAndRestore = async (
  proof: Proof,
  places: TargetDatabases,
  source: TargetDatabase,
  files: string,
  extent: BackupExtent,
): Promise<void> => {
  const isPrivate = source.kind === PRIVATE
  const older = isPrivate ? await putOlderBackups(source.settings.DATA_DIR) : []
  const { DATA_DIR, ...more } = source.settings
  const work = async (network: NetworkUnderLoad): Promise<void> => {
    const walkers = await signInWalkers(network)
    await addExtraRecords(network, walkers.map(({ headers }) => headers)) // prettier-ignore
    const completedAt = Date.now()
    const seconds = isPrivate ? extent.seconds : extent.seconds / 3
    const loaded = await backUpWhileWritten(network, files, { ...extent, seconds })
    const daily = isPrivate && seconds >= UNTIL_DAILY ? await checkDaily(proof, source, older) : undefined
    await stopWriting(proof, source, network)
    await pause(Math.max(0, completedAt + A_MINUTE - Date.now()))
    if (!isPrivate) await checkNoDaily(proof, source)

    const quiet = `${files}.backup`
    const atRest = await backUpAtRest(network, walkers, quiet)
    await network.server.stop()
    await checkLoaded(proof, places, source, [...loaded, ...(daily ? [daily] : [])] satisfies LoadedBackup[], network, quiet)
    await checkRestored(proof, places, source, atRest, quiet)
    await killBackups(proof, source, network.environment, files, extent.kills)
    // Files do not depend on the kind of source, so damage is checked for one only.
    if (!isPrivate) return
    await checkDamagedRestores(proof, places, quiet)
    await killRestores(proof, places, quiet, extent.kills)
  }
  await withNetworkUnderLoad(DATA_DIR, work, more)
}

/** Two read-only users: of the highest and of the lowest level. */
const signInWalkers = ({ environment, withDatabase }: NetworkUnderLoad): Promise<Reader[]> => {
  const configuration = readConfiguration(environment)
  return withDatabase((db) =>
    Promise.all([1, 10].map(async (level) => ({ level, headers: { ...(await signInAt({ db, configuration }, level)).headers } }))),
  )
}

/** Stops the writers, and waits for pending mails. */
const stopWriting = async (proof: Proof, { kind }: TargetDatabase, { writers, withDatabase }: NetworkUnderLoad): Promise<void> => {
  await writers.stop()
  const { acknowledged, wrong } = writers.tally
  proof.report(`${kind}: acknowledged saves of 8 writers`, acknowledged.length)
  proof.expectNone(`${kind}: answers to them other than 2xx, 409, 412 and 503 with Retry-After`, wrong)
  if ((await withDatabase(waitForUnsentMails)) > 0) throw new Error('Mails do not leave, so that the network does not come to rest')
}

/**
 * Backs up a network, and requests everything from its server; returns the responses, and how to send the same requests to a server on another
 * database.
 */
const backUpAtRest = async (
  { server, environment, withDatabase }: NetworkUnderLoad,
  walkers: readonly Reader[],
  file: string,
): Promise<ResponsesBefore> => {
  const since = Date.now()
  await runCommandOrThrow('backup', file, environment)
  const known = await withDatabase(readKnown)
  const readResponses = async (url: string): Promise<RecordedResponses> => {
    // The use of their sessions is stored after the first response.
    for (const { headers } of walkers) await fetch(`${url}/auth`, { headers })
    await pause(1500)
    return readEverything(url, known, walkers, since)
  }
  const { DATABASE_URL: _, ...bare } = environment
  return {
    pictures: known.pictures.length,
    answers: await readResponses(server.url),
    readFrom: async (place) => {
      const restored = createRestartableServer({ ...bare, ...place.settings, SAMPLE: 'none', PORT: environment.PORT })
      try {
        await restored.start()
        return await readResponses(restored.url)
      } finally {
        await restored.stop()
      }
    },
  }
}
