import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { downloadDossierPdf, readDossier } from '../../src/app/dossier/contract.ts'
import { erase } from '../../src/features/access/erase/contract.ts'
import { startApp } from '../support/app.ts'
import { makeDossier, makeDossierCharter } from '../support/dossiers.ts'
import { readPdf } from '../support/pdf.ts'

test('dossiers that were made before someone was erased lose their files, and a new one has the name that stays', async () => {
  const app = await startApp()
  const { charter, sites } = await makeDossierCharter(app)
  const caller = app.as(5)
  const body = { charter: charter.slug, parts: ['sites' as const] }
  const before = await makeDossier(caller, body)
  const { rows } = await sql<{ person: string; name: string }>`
    select person, name from site_person join person on person._id = person where site = ${sites[0]?._id}`.execute(app.context.db)
  const principal = rows[0]
  expect(JSON.stringify(await readPdf(before.pdf))).toContain(principal?.name)
  await app.as(1).send(erase, { body: { kind: 'person', _id: principal?.person ?? '', reason: 'They asked for it' } })

  const params = { id: before.dossier._id }
  expect(await caller.send(readDossier, { params })).toMatchObject({ state: 'deleted' })
  expect((await caller.trySend(downloadDossierPdf, { params })).statusCode).toBe(404)
  const after = await makeDossier(caller, body)
  expect(JSON.stringify(await readPdf(after.pdf))).not.toContain(principal?.name)
})
