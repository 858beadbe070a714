import type { FastifyRequest } from 'fastify'
import pg from 'pg'
import { describe, expect, test } from 'vitest'

import type { Tx } from '../../src/database/connection.server.ts'
import { getActor, runSave } from '../../src/platform/server/edit-transaction.ts'
import { readSite, updateSite } from '../../src/records/sites/contract.ts'
import { network } from '../support/app.ts'

const MANY = 12
/** An anonymous request with the properties that a save reads. */
const request = { id: 'test', signedIn: null, headers: {} } as unknown as FastifyRequest

/** A barrier for two saves: neither continues before both have arrived. */
const createBarrier = (): (() => Promise<void>) => {
  let responses = 0
  let begin = (): void => {}
  const both = new Promise<void>((resolve) => (begin = resolve))
  return () => {
    if (++responses >= 2) begin()
    return both
  }
}

test('while many saves wait for one record, other requests are served', async () => {
  const { as, context, site, make, charter, region } = await network()
  const [another, administrator, reader] = [await make.site({ charter: charter._id, region: region._id }), as(6), as(10)]
  await Promise.all([administrator.who(), reader.who()])
  const elsewhere = new pg.Client(context.pool.options)
  await elsewhere.connect()
  await elsewhere.query('begin')
  await elsewhere.query('select from site where _id = $1 for update', [site._id])

  const saves = Array.from({ length: MANY }, (_, at) =>
    administrator.trySend(updateSite, { params: { id: site._id }, body: { displayName: `Waited ${'abcdefghijkl'[at]}` } }),
  )
  await context.db.updateTable('site').set({ displayName: 'Not Waited For' }).where('_id', '=', another._id).execute()
  const answer = await reader.send(readSite, { params: { slug: another.slug } })
  expect(answer.displayName).toBe('Not Waited For')

  await elsewhere.query('rollback')
  await elsewhere.end()
  expect((await Promise.all(saves)).map(({ statusCode }) => statusCode)).toEqual(Array(MANY).fill(200))
})

describe('two saves that wait for each other', () => {
  test('are both completed, one after the other, and each is in the history once', async () => {
    const { context, site, principal } = await network()
    const met = createBarrier()
    const describeSite = (tx: Tx, word: string) => tx.updateTable('site').set({ description: word }).where('_id', '=', site._id).execute()
    const namePerson = (tx: Tx, word: string) => tx.updateTable('person').set({ name: word }).where('_id', '=', principal._id).execute()
    const save = (word: string, one: typeof namePerson, other: typeof namePerson): Promise<unknown> =>
      runSave(context, getActor(request), async (tx) => {
        await one(tx, word)
        await met()
        return other(tx, word)
      })
    await Promise.all([save('One', describeSite, namePerson), save('Other', namePerson, describeSite)])
    const history = await context.db
      .selectFrom('change')
      .select('record')
      .where('request', '=', request.id)
      .where('record', 'in', [site._id, principal._id])
      .execute()
    expect(history.map(({ record }) => record).toSorted()).toEqual([site._id, site._id, principal._id, principal._id].toSorted())
  })

  test('repeatedly end with 503, Retry-After and the message that nothing was saved', async () => {
    const { context, site } = await network()
    let attempts = 0
    const save = runSave(context, getActor(request), async (tx) => {
      attempts++
      await tx.updateTable('site').set({ description: 'Never' }).where('_id', '=', site._id).execute()
      // PostgreSQL's error for the transaction that it aborts.
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    })
    await expect(save).rejects.toMatchObject({ status: 503, retryAfter: 5, detail: 'Your changes were not saved. Try again in a moment.' })
    expect(attempts).toBe(5)
    const { description } = await context.db.selectFrom('site').select('description').where('_id', '=', site._id).executeTakeFirstOrThrow()
    expect(description).not.toBe('Never')
  })
})
