import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { loadSample } from '../../../../sample/load.server.ts'
import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { compareWithFolder } from '../../../../test/support/legacy-comparison.ts'
import { toLegacyFolder } from '../../../../test/support/legacy-data.ts'
import {
  importLegacyFolder,
  type LegacyResponses,
  readLegacyResponses,
  listResponseDifferences,
  writeLegacyFolder,
} from '../../../../test/support/legacy-responses.ts'

const SLOW = 180_000
const folder = await mkdtemp(join(tmpdir(), 'homeroom-legacy-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let from: TestApp
let recordedResponses: LegacyResponses
beforeAll(async () => {
  from = await startApp()
  await loadSample({ db: from.context.db, sites: 12 })
  recordedResponses = await readLegacyResponses(from)
}, SLOW)

test(
  'recorded responses of this program, imported into an empty database, are returned again except for the numbers of changes',
  { timeout: SLOW },
  async () => {
    const into = await startApp()
    const path = join(folder, 'own')
    await writeLegacyFolder(path, recordedResponses, from)
    await importLegacyFolder(into, path)
    expect(listResponseDifferences(recordedResponses, await readLegacyResponses(into), ['version', 'grantedAt', 'grantedBy'])).toEqual([])
    expect((await importLegacyFolder(into, path)).rowsToWrite).toBe(0)
  },
)

test(
  'every value in a folder of the old program is stored or reported, and a second import writes only what changed',
  { timeout: SLOW },
  async () => {
    const into = await startApp()
    const path = join(folder, 'old')
    const { files, oddities: odd } = toLegacyFolder(recordedResponses)
    await writeLegacyFolder(path, files)

    const preview = await importLegacyFolder(into, path, { dryRun: true })
    expect(preview.rowsToWrite).toBeGreaterThan(100)
    expect(await into.context.db.selectFrom('site').selectAll().execute()).toEqual([])

    const { findings } = await importLegacyFolder(into, path)
    const compared = compareWithFolder(files, await readLegacyResponses(into), findings)
    expect(compared.lost).toEqual([])
    expect(compared.ids).toBe(compared.records - odd.otherApplication)
    expect(findings.filter(({ field }) => field === 'legacyCode')).toHaveLength(odd.unknown)
    expect(findings.filter(({ kind }) => kind === 'file')).toHaveLength(odd.brokenFiles)
    expect((await importLegacyFolder(into, path)).rowsToWrite).toBe(0)

    const sites = files.get('sites_pop.json') as { _id: string; displayName: string; name: string }[]
    const [removed, ...permissions] = files.get('app_permissions.json') as { _id: string }[]
    const [edited, renamed] = sites.splice(0, 2).map((site) => ({ ...site, displayName: 'A New Name' }))
    await writeLegacyFolder(
      path,
      new Map<string, unknown>([
        ['sites_pop.json', [edited, renamed, ...sites]],
        ['app_permissions.json', permissions],
      ]),
    )
    const caller = into.as(1)
    await caller.request('PATCH', `/locations-api/sites/${edited?._id}`, { payload: { displayName: 'Edited Here' } })
    const again = await importLegacyFolder(into, path)
    expect(again.rowsToWrite).toBe(1)
    const named = await into.context.db
      .selectFrom('site')
      .select(['_id', 'displayName', 'version'])
      .where('_id', 'in', [edited?._id ?? '', renamed?._id ?? ''])
      .execute()
    expect(named).toEqual(
      expect.arrayContaining([
        { _id: edited?._id, displayName: 'Edited Here', version: 2 },
        { _id: renamed?._id, displayName: 'A New Name', version: 2 },
      ]),
    )
    const reported = again.findings.filter(({ type, kind }) => type === 'kept' || (type === 'gone' && kind === 'permission'))
    expect(reported.map(({ type, recordId }) => [type, recordId])).toEqual(
      expect.arrayContaining([
        ['kept', edited?._id],
        ['gone', removed?._id],
      ]),
    )
  },
)

test('a database that already has a network is refused unless the import is told to add to it', { timeout: SLOW }, async () => {
  const path = join(folder, 'one')
  await writeLegacyFolder(path, new Map([['brand.json', { data: [{ _id: '64f0c0ffee0123456789abcd', brandName: 'Old Brand' }] }]]))
  await expect(importLegacyFolder(from, path)).rejects.toThrow('that are not of the old program')
  expect((await importLegacyFolder(from, path, { beside: true })).rowsToWrite).toBe(1)
})

test.each([
  ['a folder that does not exist', 'nowhere', {}, 'There is no folder'],
  ['a folder without recorded responses', 'empty', { 'note.txt': 'hello' }, 'holds none of the old program'],
  ['a folder where nothing can be read', 'broken', { 'brand.json': '<html>' }, 'can be read'],
  ['a folder with more values than fit into memory', 'many', { 'brand.json': `[${'{},'.repeat(3_000_000)}{}]` }, 'takes too much memory'],
])('%s is reported in one line', async (_, name, files, message) => {
  const path = join(folder, name)
  if (name !== 'nowhere') await writeLegacyFolder(path, new Map(Object.entries(files)))
  await expect(importLegacyFolder(from, path)).rejects.toThrow(message)
})
