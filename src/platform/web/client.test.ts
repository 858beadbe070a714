import { afterEach, expect, test, vi } from 'vitest'

import { READ_AFTER_HEADER, READ_AFTER_MS, WRITTEN_BY_HEADER } from '../../contract/read-after-write.ts'
import { previewSheet } from '../../features/changing/sheets/contract.ts'
import { listBrands, updateBrand } from '../../records/brands/contract.ts'
import { send } from './client.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('requests name the servers of recent writes, for a moment', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('localStorage', { getItem: () => null })
  const named: (string | null)[] = []
  let server: string | undefined
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    named.push(headers.get(READ_AFTER_HEADER))
    return Response.json({}, { headers: server === undefined ? {} : { [WRITTEN_BY_HEADER]: server } })
  })
  const read = () => send(listBrands)
  const writeTo = async (name: string) => {
    server = name
    await send(updateBrand, { params: { id: 'x' }, body: {} })
    server = undefined
  }
  await read()
  await writeTo('one')
  await read()
  vi.advanceTimersByTime(READ_AFTER_MS / 2)
  await writeTo('two')
  await read()
  vi.advanceTimersByTime(READ_AFTER_MS / 2 + 1)
  await read()
  vi.advanceTimersByTime(READ_AFTER_MS)
  await read()
  expect(named).toEqual([null, null, 'one', 'one', 'one,two', 'two', null])
})

test('a proxy that refuses a large body with its own page is reported like the server’s own refusal', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  // Over HTTP/2 there is no status text.
  vi.stubGlobal('fetch', async () => new Response('<html>413 Request Entity Too Large</html>', { status: 413, statusText: '' }))
  const file = new Blob(['x'])
  await expect(send(previewSheet, { params: { kind: 'sites' }, file })).rejects.toThrow(/^This file is larger than 20 MB\./)
  await expect(send(updateBrand, { params: { id: 'x' }, body: {} })).rejects.toThrow('The request is too large')
})
