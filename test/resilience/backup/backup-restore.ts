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

/** How much of it is done. */
export interface BackupExtent {
  /** Backups of each kind of database while it is written. */
  readonly backups: number
  /** How long the private one is written, and the other a third of it. A server makes its daily backup a minute after it has started: with less that part is left out. */
  readonly seconds: number
  /** Places at which a backup is cut off and altered; a small one at a hundred times as many. */
  readonly damaged: number
  /** Backups, and restores, that are ended with -9 on their way. */
  readonly kills: number
}

const MOST_TOLD = 8
/** A session is noted as used once a minute. */
const A_MINUTE = 61_000
/** When the daily backup comes, and a little more. */
const UNTIL_DAILY = 60

/** Backs up each kind of database while it is written and when it is at rest, and restores it into each kind of place. */
export const runBackupProof = async (proof: Proof, extent: BackupExtent): Promise<void> => {
  const folder = await createTemporaryFolder()
  const places = await openTargetDatabases(folder)
  try {
    if (places.version === undefined)
      proof.log(`Left out: ${POSTGRES}, since there is none of the system here (apt-get install postgresql)`)
    proof.report('Kinds of database', [...places.kinds].join(', ') + (places.version === undefined ? '' : ` ${places.version}`))
    proof.report('Calls that read', READ_CALLS)
    proof.report('Steps of a sign-in, which are not asked', SKIPPED_CALLS)
    for (const call of UNREAD_CALLS.slice(0, MOST_TOLD)) proof.log(`Not walked: ${call}`)
    proof.expectEqual('Calls that read and are not asked', UNREAD_CALLS.length, 0)
    for (const kind of places.kinds) await backUpAndRestore(proof, places, await places.make(kind), join(folder, `of ${kind}`), extent)
    await checkDamagedFiles(proof, places, folder, extent.damaged)
  } finally {
    await places.stop()
    await removeFolder(folder)
  }
}

/** Everything about the backups of one kind of database; their files begin with `files`. */
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
    const asked = await backUpAtRest(network, walkers, quiet)
    await network.server.stop()
    await checkLoaded(proof, places, source, [...loaded, ...(daily ? [daily] : [])] satisfies LoadedBackup[], network, quiet)
    await checkRestored(proof, places, source, asked, quiet)
    await killBackups(proof, source, network.environment, files, extent.kills)
    // A file does not tell where it is from: what is refused of one is refused of the other.
    if (!isPrivate) return
    await checkDamagedRestores(proof, places, quiet)
    await killRestores(proof, places, quiet, extent.kills)
  }
  await withNetworkUnderLoad(DATA_DIR, work, more)
}

/** Two who only look: of the highest level and of the lowest. */
const signInWalkers = ({ environment, withDatabase }: NetworkUnderLoad): Promise<Reader[]> => {
  const configuration = readConfiguration(environment)
  return withDatabase((db) =>
    Promise.all([1, 10].map(async (level) => ({ level, headers: { ...(await signInAt({ db, configuration }, level)).headers } }))),
  )
}

/** Ends the writing, and waits for the mails that are under way. */
const stopWriting = async (proof: Proof, { kind }: TargetDatabase, { writers, withDatabase }: NetworkUnderLoad): Promise<void> => {
  await writers.stop()
  const { acknowledged, wrong } = writers.tally
  for (const one of wrong.slice(0, MOST_TOLD)) proof.log(`Wrong answer: ${one}`)
  proof.report(`${kind}: saves of 8 writers acknowledged`, acknowledged.length)
  proof.expectEqual(`${kind}: other answers to them than 2xx, 409, 412 and 503 with Retry-After`, wrong.length, 0)
  if ((await withDatabase(waitForUnsentMails)) > 0) throw new Error('Mails do not leave, so that the network does not come to rest')
}

/** Backs a network up, and asks its server for everything; gives what it answered, and how a server on another place is asked the same. */
const backUpAtRest = async (
  { server, environment, withDatabase }: NetworkUnderLoad,
  walkers: readonly Reader[],
  file: string,
): Promise<ResponsesBefore> => {
  const since = Date.now()
  await runCommandOrThrow('backup', file, environment)
  const known = await withDatabase(readKnown)
  const ask = async (url: string): Promise<RecordedResponses> => {
    // Their sessions are noted as used once the first answer has gone.
    for (const { headers } of walkers) await fetch(`${url}/auth`, { headers })
    await pause(1500)
    return readEverything(url, known, walkers, since)
  }
  const { DATABASE_URL: _, ...bare } = environment
  return {
    pictures: known.pictures.length,
    answers: await ask(server.url),
    askOn: async (place) => {
      const restored = createRestartableServer({ ...bare, ...place.settings, SAMPLE: 'none', PORT: environment.PORT })
      try {
        await restored.start()
        return await ask(restored.url)
      } finally {
        await restored.stop()
      }
    },
  }
}
