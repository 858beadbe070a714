import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import type { SheetKind } from '../../../contract/sheets.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { applyBulkChange, previewBulkChange, undoChangeset } from '../changesets/contract.ts'
import { applySheet, previewSheet } from './contract.ts'

const start = async () => {
  const app = await startApp()
  const people = []
  for (const name of ['Ada Byron', 'Deepak Banerjee', 'Grace Lim'])
    people.push(await app.make.person({ name, email: `${name.split(' ')[0]!.toLowerCase()}@school.test`, sql_person_id: `HR-${name[0]}` }))
  const [ada, deepak, grace] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const me = app.as(6)
  const upload = (kind: SheetKind, header: string, lines: readonly string[]) =>
    me.send(previewSheet, { params: { kind }, file: new Blob([[header, ...lines, ''].join('\n')]) })
  const apply = (id: string, body: object = {}) => me.trySend(applySheet, { params: { id }, body })
  const readEmails = async () =>
    Object.fromEntries(
      (await app.context.db.selectFrom('person').select(['name', 'email', 'sql_person_id']).execute()).map(({ name, email }) => [
        name,
        email,
      ]),
    )
  return { app, me, ada, deepak, grace, upload, apply, readEmails }
}

test('two people swap email address and HR number in a sheet, and undoing it swaps them back', async () => {
  const { me, ada, deepak, upload, apply, readEmails } = await start()
  const found = await upload('people', '_id,Email,HR number', [`${ada._id},deepak@school.test,HR-D`, `${deepak._id},ADA@school.test,HR-A`])
  expect(found.cells.map(({ state }) => state)).toEqual(['change', 'change', 'change', 'change'])
  const saved = await apply(found._id)
  expect(saved.json()).toMatchObject({ changed: 2 })
  expect(await readEmails()).toMatchObject({ 'Ada Byron': 'deepak@school.test', 'Deepak Banerjee': 'ADA@school.test' })
  const undone = await me.send(undoChangeset, { params: { id: saved.json().changeset._id }, body: {} })
  expect(undone).toMatchObject({ changed: 2, left: [] })
  expect(await readEmails()).toMatchObject({ 'Ada Byron': 'ada@school.test', 'Deepak Banerjee': 'deepak@school.test' })
})

test('an email address in two rows, or of someone outside the sheet, is an error at each cell', async () => {
  const { ada, deepak, grace, upload, apply } = await start()
  const found = await upload('people', '_id,Name,Email', [
    `${ada._id},Ada Byron,one@school.test`,
    `,Omar New,ONE@school.test`,
    `${deepak._id},Deepak Banerjee,grace@school.test`,
  ])
  expect(found.cells.filter(({ state }) => state === 'error').map(({ cell, message }) => [cell, message])).toEqual([
    ['C2', 'Omar New already has this email address'],
    ['C3', 'Ada Byron already has this email address'],
    ['C4', 'Grace Lim already has this email address'],
  ])
  // Values that differ from those in the preview are checked when they are saved.
  const choices = { C2: { value: 'two@school.test' }, C3: { value: 'three@school.test' }, C4: { value: grace.email } }
  const refused = await apply(found._id, { choices })
  expect([refused.statusCode, refused.json().errors]).toEqual([422, [{ path: 'C4', message: 'Grace Lim already has this email address' }]])
  expect((await apply(found._id, { choices: { ...choices, C4: 'leave' } })).json()).toMatchObject({ changed: 1, created: 1 })
})

test('charters swap their names, and two with the same name are refused', async () => {
  const { app } = await start()
  const me = app.as(5)
  const [first, second] = [await app.make.charter({ name: 'Harbor Charter' }), await app.make.charter({ name: 'Valley Charter' })]
  const upload = (names: readonly string[]) =>
    me.send(previewSheet, {
      params: { kind: 'charters' },
      file: new Blob([`_id,Charter name\n${first._id},${names[0]}\n${second._id},${names[1]}\n`]),
    })
  const states = async (names: readonly string[]) => (await upload(names)).cells.map(({ state }) => state)
  expect(await states(['Bay Charter', 'bay charter'])).toEqual(['error', 'error'])
  const swapped = await upload(['Valley Charter', 'Harbor Charter'])
  expect(await me.send(applySheet, { params: { id: swapped._id }, body: { warningsAccepted: true } })).toMatchObject({ changed: 2 })
})

test('rules over two fields of one record are checked in the preview, whichever columns the sheet has', async () => {
  const { app, upload } = await start()
  const site = await app.make.site({ start_time: '9:00AM', end_time: '10:00AM' })
  await app.context.db.updateTable('facility').set({ lease_end_open: true }).where('site', '=', site._id).execute()
  expect((await upload('sites', '_id,Start time', [`${site._id},11:00AM`])).cells).toMatchObject([{ state: 'error' }])
  expect((await upload('facilities', '_id,Lease end', [`${site._id},2030-06-30`])).cells).toMatchObject([
    { state: 'error', message: 'An open-ended lease has no end date' },
  ])
})

test('people swap email addresses in a bulk change, and one address for several people is an error for each', async () => {
  const { me, ada, deepak, readEmails } = await start()
  const ids = [ada._id, deepak._id]
  const swap = {
    kind: 'person' as const,
    ids,
    changes: {},
    own: { [ada._id]: { email: deepak.email }, [deepak._id]: { email: ada.email } },
  }
  expect(await me.send(previewBulkChange, { body: swap })).toMatchObject({ changed: 2, errors: 0 })
  expect(await me.send(applyBulkChange, { body: swap })).toMatchObject({ changed: 2 })
  expect(await readEmails()).toMatchObject({ 'Ada Byron': 'deepak@school.test', 'Deepak Banerjee': 'ada@school.test' })
  const same = { kind: 'person' as const, ids, changes: { email: 'one@school.test' } }
  const preview = await me.send(previewBulkChange, { body: same })
  expect(preview.rows.map(({ errors }) => errors.map(({ path }) => path))).toEqual([['email'], ['email']])
  expect((await me.trySend(applyBulkChange, { body: same })).statusCode).toBe(422)
})

test('undoing does not restore an email address that someone else has in the meantime', async () => {
  const { me, ada, grace, upload, apply, readEmails } = await start()
  const found = await upload('people', '_id,Email,Phone', [`${ada._id},new@school.test,209-555-0100`])
  const { changeset } = (await apply(found._id)).json()
  await me.send(updatePerson, { params: { id: grace._id }, body: { email: 'ada@school.test' } })
  expect(await me.send(undoChangeset, { params: { id: changeset._id }, body: {} })).toMatchObject({
    changed: 1,
    left: [{ field: 'email', message: 'Grace Lim already has this email address' }],
  })
  expect(await readEmails()).toMatchObject({ 'Ada Byron': 'new@school.test', 'Grace Lim': 'ada@school.test' })
})
