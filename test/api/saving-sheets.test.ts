import { request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { applySheet, previewSheet, readSheetProgress, stopSheet } from '../../src/features/changing/sheets/contract.ts'
import { startApp } from '../support/app.ts'
import { waitUntil } from '../support/wait-until.ts'

const SITES = 40

/** An app with sites, and a preview that changes the city of each. */
const start = async () => {
  const app = await startApp()
  const sites: string[] = []
  for (let at = 0; at < SITES; at++) sites.push((await app.make.site({ displayName: `Site ${at}`, city: 'Lodi' }))._id)
  const previewAs = (me: ReturnType<typeof app.as>, city: string) =>
    me.send(previewSheet, { params: { kind: 'sites' }, file: new Blob([`_id,City\n${sites.map((_id) => `${_id},${city}`).join('\n')}\n`]) })
  const countCities = async () => {
    const { rows } = await sql<{
      city: string
      count: number
    }>`select city, count(*)::int as count from site group by city order by city`.execute(app.context.db)
    return Object.fromEntries(rows.map(({ city, count }) => [city, count]))
  }
  /** Locks the row of the last site, so that a save of all of them waits there. */
  const holdLastSite = async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const last = sites.toSorted().at(-1)!
    let isLocked = () => {}
    const locked = new Promise<void>((resolve) => (isLocked = resolve))
    const done = app.context.db.transaction().execute(async (tx) => {
      await sql`select from facility where site = ${last} for update`.execute(tx)
      await sql`select from site where _id = ${last} for update`.execute(tx)
      isLocked()
      await held
    })
    await locked
    return async () => {
      release()
      await done
    }
  }
  return { app, me: app.as(6), previewAs, countCities, holdLastSite }
}
const BODY = { warningsAccepted: true } as const

describe('saving a sheet', () => {
  test('by two people with the same rows saves one; the other gets conflicts, and nothing of it is saved', async () => {
    const { app, previewAs, countCities } = await start()
    const [one, other] = [app.as(6), app.as(6)]
    const previews = [await previewAs(one, 'Acampo'), await previewAs(other, 'Galt')]
    const answers = await Promise.all(
      [one, other].map((who, at) => who.trySend(applySheet, { params: { id: previews[at]!._id }, body: BODY })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    const winner = answers[0]!.statusCode === 200 ? 'Acampo' : 'Galt'
    expect(await countCities()).toEqual({ [winner]: SITES })
    const refused = answers.find(({ statusCode }) => statusCode === 409)!.json()
    expect(refused.errors[0]).toEqual({ path: 'B2', message: 'This was changed after the preview' })
  })

  test('completes even if its page is closed, and the audit trail has the address', async () => {
    const { app, me, previewAs, countCities, holdLastSite } = await start()
    const { _id } = await previewAs(me, 'Acampo')
    const release = await holdLastSite()
    const url = new URL(applySheet.path.replace(':id', _id), await app.app.listen({ host: '127.0.0.1', port: 0 }))
    const headers = { ...(await me.headers()), 'content-type': 'application/json' }
    // A separate connection, so no earlier request has read its address.
    const request = httpRequest(url, { method: 'POST', agent: false, headers }).on('error', () => {})
    request.end(JSON.stringify(BODY))
    const progress = () => me.send(readSheetProgress, { params: { id: _id } })
    await waitUntil('it is being saved', async () => (await progress()).state === 'saving')
    request.destroy()
    await pause(200)
    await release()
    await waitUntil('it is saved', async () => (await progress()).state === 'saved')
    expect(await countCities()).toEqual({ Acampo: SITES })
    const audited = await app.context.db.selectFrom('audit_event').select('address').where('kind', '=', 'changeset.saved').execute()
    expect(audited).toEqual([{ address: '127.0.0.1' }])
  })

  test('shows its progress, refuses a second concurrent save, and can be stopped with nothing saved', async () => {
    const { me, previewAs, countCities, holdLastSite } = await start()
    const { _id: id } = await previewAs(me, 'Acampo')
    const params = { id }
    expect(await me.send(readSheetProgress, { params })).toEqual({
      state: 'waiting',
      saved: 0,
      total: 0,
      name: null,
      secondsLeft: null,
      changeset: null,
    })
    const release = await holdLastSite()
    const saving = me.trySend(applySheet, { params, body: BODY })
    for (;;) {
      const { state, total } = await me.send(readSheetProgress, { params })
      if (state === 'saving' && total === SITES) break
      await pause(20)
    }
    expect((await me.trySend(applySheet, { params, body: BODY })).json().title).toBe('This is already being saved')
    await me.send(stopSheet, { params })
    await release()
    const stopped = await saving
    expect([stopped.statusCode, stopped.json().title]).toEqual([409, 'The saving was stopped. Nothing was saved.'])
    expect(await countCities()).toEqual({ Lodi: SITES })
    expect(await me.send(readSheetProgress, { params })).toMatchObject({ state: 'stopped', saved: 0, changeset: null })
    expect(await me.send(applySheet, { params, body: BODY })).toMatchObject({ changed: SITES })
    expect(await me.send(readSheetProgress, { params })).toMatchObject({ state: 'saved', saved: SITES, total: SITES })
  })
})
