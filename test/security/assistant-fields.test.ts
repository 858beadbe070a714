import { describe, expect, test } from 'vitest'

import { EDITABLE_KINDS } from '../../src/contract/records.ts'
import { createProposal } from '../../src/features/changing/requests/contract.ts'
import { askAll, connect, startNetwork } from '../support/assistant-network.ts'
import { ask } from '../support/assistants.ts'

let started: ReturnType<typeof startNetwork> | undefined
const setUp = () => (started ??= startNetwork())

describe('the fields for which a change can be suggested', () => {
  test.each(EDITABLE_KINDS)('of a %s are all that its sheets edit, and the API knows each with the same value', async (kind) => {
    const { server, network } = await setUp()
    const { asker, client } = await connect({ server, network }, 5)
    const { _id } = network[kind === 'charter_affair' ? 'charter' : kind]
    const { items } = await askAll(client, 'get_record', { kind, id: _id, view: 'fields' }, 0)
    const listed = (items ?? []).filter(({ field }) => field !== 'url')
    const fields = [...Map.groupBy(listed, ({ field }) => field)].map(([field, pieces]) => ({
      field: String(field),
      label: pieces[0]?.['label'],
      // A long text comes in pieces.
      value: pieces.length > 1 ? pieces.map(({ value }) => value).join('') : pieces[0]?.['value'],
    }))
    const paths = fields.map(({ field }) => field)
    const { sheets } = server.context.kinds[kind]
    const columns = Object.values(sheets).flatMap((sheet) =>
      sheet.columns(server.context.readModel).filter(({ isForNewRows }) => !isForNewRows),
    )
    expect(paths).toEqual(expect.arrayContaining(columns.map(({ path }) => path)))
    expect(fields.filter(({ label, field }) => !label || label === field)).toEqual([])
    // A value that is suggested again is refused as no change, and an unknown path as one.
    const refusals = await Promise.all(
      fields.map(async ({ field, value }) => {
        const body = { record: { kind, _id }, changes: { [field]: value } }
        const response = await asker.api.trySend(createProposal, { body })
        return [field, response.json<{ errors?: { path: string; message: string }[] }>().errors]
      }),
    )
    expect(refusals).toEqual(paths.map((path) => [path, [{ path, message: 'The record has this value already' }]]))
  })

  test('are those of today: a past day is refused', async () => {
    const { asker, client } = await connect(await setUp(), 10)
    const refused = await ask(client, 'get_record', { kind: 'site', id: asker.network.site._id, view: 'fields', day: '2026-01-01' })
    expect([refused.isError, refused.text.includes('fields')]).toEqual([true, true])
  })
})
