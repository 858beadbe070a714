import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { loadSample } from '../../../../sample/load.server.ts'
import { startApp, type TestApp } from '../../../../test/app.ts'
import { answersOf, differences, writeAnswers } from '../../../../test/legacy.ts'
import { importLegacy, type LegacyWishes } from './import.server.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-legacy-'))
  folders.push(folder)
  return folder
}
const importing = ({ house }: TestApp, path: string, wishes: Partial<LegacyWishes> = {}) =>
  importLegacy(
    house.db,
    { path, dryRun: false, beside: false, appId: 'homeroom', timeZone: 'America/Los_Angeles', ...wishes },
    { planned: () => {}, written: () => {}, waiting: () => {}, checkStop: () => {} },
  )
const asking = (app: TestApp) => {
  const somebody = app.as(1)
  return async (path: string): Promise<string> => {
    const { statusCode, body } = await somebody.request('GET', path)
    expect(statusCode).toBe(200)
    return body
  }
}

test('our own answers, moved into an empty database, are answered again, byte for byte but for the counts of changes', async () => {
  const [from, into] = [await startApp(), await startApp()]
  await loadSample({ db: from.house.db, sites: 60 })
  const before = await answersOf(asking(from))
  const folder = await newFolder()
  await writeAnswers(folder, before)
  const pictures = await from.house.db.selectFrom('picture').selectAll().execute()
  const { writeFile, mkdir } = await import('node:fs/promises')
  await mkdir(join(folder, 'pictures'))
  for (const { _id, bytes } of pictures) await writeFile(join(folder, 'pictures', _id), bytes)

  const outcome = await importing(into, folder)
  console.log(
    [...new Set(outcome.findings.map(({ what, kind, field, why }) => `${what} ${kind} ${field} ${why}`))].slice(0, 60),
    outcome.findings.length,
  )
  expect(differences(before, await answersOf(asking(into)), ['version', 'grantedAt', 'grantedBy']).slice(0, 20)).toEqual([])
  const again = await importing(into, folder)
  expect(again.rowsToWrite).toBe(0)
})
