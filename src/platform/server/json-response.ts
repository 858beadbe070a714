import { finished } from 'node:stream'

import type { FastifyReply } from 'fastify'

import { type CachedResponse, createForms } from './cached-response.ts'
import { type ByteChunks, compress, compressNow, type ContentForm, toChunks } from './compression.ts'
import { isLong, toJsonChunks } from './stringify.ts'
import { shareTurn } from './time-slices.ts'

const CHUNK_LENGTH = 65_536

/** JSON as bytes, in chunks large enough for a packet. */
export async function* joinChunks(chunks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length < CHUNK_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** JSON as bytes; each form is created once. A short one is `text` as well: Node sends text with its headers in one packet. */
export type JsonResponse = Pick<CachedResponse, 'getForm'> & { readonly text?: string }

const createResponse = (plain: ByteChunks): JsonResponse => {
  const forms = new Map<ContentForm, ByteChunks>([['plain', plain]])
  return createForms(forms, async (form) => {
    const chunks = form === 'plain' ? plain : (compressNow(plain, form) ?? (await compress(plain, form, 4)))
    forms.set(form, chunks)
    return chunks
  })
}

const serializeLong = async (value: object): Promise<JsonResponse> =>
  createResponse(toChunks(await Array.fromAsync(joinChunks(toJsonChunks(value)))))

/** The long responses that are being sent, by the value that they show. */
const sending = new WeakMap<object, { readonly response: Promise<JsonResponse>; users: number }>()

/** The bytes of a value; those of a long one are created once for all replies that show the same value at the same time. */
export const serialize = async (value: unknown, reply: FastifyReply): Promise<JsonResponse> => {
  if (!isLong(value)) {
    const turn = shareTurn()
    if (turn) await turn
    const text = JSON.stringify(value)
    let bytes: JsonResponse | undefined
    return { text, getForm: (form) => (bytes ??= createResponse(toChunks([Buffer.from(text)]))).getForm(form) }
  }
  const entry = sending.get(value) ?? { response: serializeLong(value), users: 0 }
  sending.set(value, entry)
  entry.users++
  finished(reply.raw, () => {
    entry.users--
    if (entry.users === 0) sending.delete(value)
  })
  return entry.response
}
