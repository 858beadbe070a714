import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { downloadDossierPdf, readDossier } from '../../src/app/dossier/contract.ts'
import { erase } from '../../src/features/access/erase/contract.ts'
import { archiveRecord, restoreRecord } from '../../src/features/changing/archive/contract.ts'
import { undoChangeset } from '../../src/features/changing/changesets/contract.ts'
import { startApp } from '../support/app.ts'
import { makeDossier, makeDossierCharter } from '../support/dossiers.ts'
import { mergeTwo } from '../support/merges.ts'
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

test('someone who is archived, or was merged into someone else, can be erased without a way back', async () => {
  const app = await startApp()
  const admin = app.as(1)
  const keep = await app.make.person({ name: 'Wilhelmina Quarrington', email: 'wilhelmina@factory.test' })
  const merged = await app.make.person({ name: 'Mina Quarrington', email: 'mina@factory.test' })
  const changeset = await mergeTwo(app, admin, 'person', keep._id, merged._id)
  await admin.send(archiveRecord, { body: { kind: 'person', _id: keep._id, reason: 'Left long ago' } })
  await admin.send(erase, { body: { kind: 'person', _id: keep._id, reason: 'They asked for it' } })
  await admin.trySend(undoChangeset, { params: { id: changeset }, body: {} })
  await admin.trySend(restoreRecord, { params: { kind: 'person', id: keep._id } })

  const { rows } = await sql<{ text: string }>`
    select to_jsonb(t)::text as text from person as t union all select to_jsonb(c)::text from change as c
    union all select to_jsonb(s)::text from changeset as s union all select to_jsonb(m)::text from merge as m
    union all select to_jsonb(f)::text from former_slug as f`.execute(app.context.db)
  expect(rows.filter(({ text }) => /quarrington|wilhelmina|mina@/i.test(text))).toEqual([])
})
