import { basename, join } from 'node:path'

import type { Configuration } from '../../../../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../../../platform/server/database.ts'
import { stamp, Told } from '../telling.server.ts'
import { importLegacy } from './import.server.ts'
import { writeFindings } from './report.server.ts'
import { filesInWords, legacyInWords } from './words.ts'

interface Wish {
  readonly path: string
  readonly dryRun: boolean
  readonly beside: boolean
  readonly report: string | undefined
}

/** `npm run import -- legacy FOLDER`; answers the exit code. */
export const legacyCommand = async (
  wish: Wish,
  configuration: Configuration,
  { out, stop }: { out: NodeJS.WriteStream; stop: AbortSignal },
): Promise<number> => {
  const { appId, timeZone, dataDir } = configuration
  const told = new Told(out, stop, wish.dryRun)
  const say = (line: string): void => told.lines([line])
  const report =
    wish.report ?? (wish.dryRun ? undefined : join(dataDir, 'import-reports', `${basename(wish.path)}-${stamp(new Date())}.csv`))
  const database = await openConfiguredDatabase(configuration, 'guest', say)
  try {
    const outcome = await importLegacy(
      database.db,
      { path: wish.path, dryRun: wish.dryRun, beside: wish.beside, appId, timeZone },
      {
        planned: async (planned) => {
          told.lines([`${basename(wish.path)}:`, ...filesInWords(planned), ...legacyInWords(planned, { done: false })])
          // Before anything is written: where the report cannot be, nothing is imported.
          if (report !== undefined && (planned.findings.length > 0 || wish.report !== undefined))
            await writeFindings(report, planned.findings)
        },
        written: told.written,
        waiting: told.waiting,
        checkStop: told.checkStop,
      },
    )
    told.end()
    const isToWrite = outcome.rowsToWrite > 0
    if (!wish.dryRun && isToWrite) told.lines(legacyInWords(outcome, { done: true }))
    if (outcome.findings.length > 0 || wish.report !== undefined)
      say(
        report === undefined
          ? 'All of it, with file, record, field and reason: add --report FILE'
          : `All of it, with file, record, field and reason: ${report}`,
      )
    say(wish.dryRun ? 'Dry run: nothing was written' : isToWrite ? 'Imported' : 'Nothing to write')
    return 0
  } finally {
    await database.stop()
  }
}
