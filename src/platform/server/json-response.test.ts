import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'

import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'

import { serialize } from './json-response.ts'

const list = Array.from({ length: 1000 }, (_, at) => ({ at, text: 'é'.repeat(200) }))

const createReply = () => {
  const raw = new PassThrough()
  const end = async (): Promise<void> => {
    const ended = finished(raw).catch(() => {})
    raw.destroy()
    await ended
  }
  return { reply: { raw } as unknown as FastifyReply, end }
}

test('the bytes of a long value are created once for all replies that show it at the same time', async () => {
  const [first, second] = [createReply(), createReply()]
  const responses = await Promise.all([serialize(list, first.reply), serialize(list, second.reply)])
  expect(responses[1]).toBe(responses[0])
  const forms = await Promise.all(responses.map(({ getForm }) => getForm('br')))
  expect(forms[1]).toBe(forms[0])
  const { chunks } = await responses[0].getForm('plain')
  expect(Buffer.concat(chunks).toString() === JSON.stringify(list)).toBe(true)
  await first.end()
  const third = createReply()
  expect(await serialize(list, third.reply)).toBe(responses[0])
  await Promise.all([second.end(), third.end()])
})

test('they are kept no longer than they are sent', async () => {
  const { reply, end } = createReply()
  const before = await serialize(list, reply)
  await end()
  expect(await serialize(list, createReply().reply)).not.toBe(before)
})
