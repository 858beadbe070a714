import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { PERSONAL_KINDS } from '../../../contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getSystemActor } from '../../../platform/server/audit.ts'
import { runSave } from '../../../platform/server/edit-transaction.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import { finishErasure } from './mutations.server.ts'

/** The erasures of this network, beside the backups that are older than them: whom, not who it was. */
export const ERASURES_FILE = 'erasures.json'

const ListedErasures = z.array(z.object({ number: z.int().positive(), kind: z.enum(PERSONAL_KINDS), _id: z.string(), reason: z.string() }))
export type ListedErasure = z.infer<typeof ListedErasures>[number]

/** The erasures in the lists of some folders, oldest first. */
export const readErasures = async (folders: readonly string[]): Promise<ListedErasure[]> => {
  const all = new Map<string, ListedErasure>()
  for (const folder of folders) {
    const path = join(folder, ERASURES_FILE)
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (getErrorCode(error) === 'ENOENT') return '[]'
      throw error
    })
    const { data, error } = ListedErasures.safeParse(toJson(text))
    if (!data) throw new Error(`${path} is not a list of erasures: ${z.prettifyError(error)}`)
    for (const one of data) all.set(`${one.kind} ${one._id}`, one)
  }
  return [...all.values()].toSorted((one, other) => one.number - other.number)
}
const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes the list of erasures beside the backups, and removes emails that were written as files. */
export const saveErasureFiles = async ({ db, configuration, log }: AppContext): Promise<void> => {
  const { dataDir, backupDir, isBackupEnabled } = configuration
  try {
    const pending = await db.selectFrom('erasure_pending').select('mails').execute()
    for (const mail of pending.flatMap(({ mails }) => mails)) await rm(join(dataDir, 'mail', `${mail}.eml`), { force: true })
    if (!isBackupEnabled) return
    const rows = await db.selectFrom('erasure').select(['number', 'kind', 'record as _id', 'reason']).orderBy('number').execute()
    const path = join(backupDir, ERASURES_FILE)
    const text = `${JSON.stringify(rows, null, 1)}\n`
    if (rows.length === 0 || (await readFile(path, 'utf8').catch(() => '')) === text) return
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    await writeFile(`${path}.unfinished`, text, { mode: 0o600, flush: true })
    await rename(`${path}.unfinished`, path)
  } catch (err) {
    log.error({ err }, 'The files of an erasure could not be written or removed; this is tried again every minute')
  }
}

/** Looks once more for what was written while someone was erased, after a minute; repeated until it is done, by any server. */
export const finishErasures = async (context: AppContext): Promise<void> => {
  await saveErasureFiles(context)
  const { db, configuration, now } = context
  const due = await db.selectFrom('erasure_pending').select('number').where('due', '<=', now()).execute()
  const by = getSystemActor('Homeroom')
  for (const { number } of due)
    await runSave(context, { account: null, name: 'Homeroom' }, (tx) => finishErasure(tx, configuration, by, number))
}
