import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { waitUntil } from '../../../../test/support/wait-until.ts'
import { LiveStreams, MAX_STREAMS, MAX_STREAMS_OF_ACCOUNT, type Stream } from './streams.server.ts'

let server: Server
let streams: LiveStreams
const sockets: Socket[] = []
beforeEach(async () => {
  streams = new LiveStreams()
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  vi.useRealTimers()
  streams.close()
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

/** A reader, with its stream at the server. */
const open = async (credential = 'a session', account = 'an account'): Promise<{ socket: Socket; stream: Stream }> => {
  const arriving = new Promise<ServerResponse>((resolve) => server.once('request', (_request, response) => resolve(response)))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const response = await arriving
  response.writeHead(200)
  const stream = { response, credential, account, level: 10 }
  streams.add(stream)
  return { socket, stream }
}

test('a reader that reads nothing is dropped, and another one gets everything', async () => {
  const [slow, fast] = [await open('one'), await open('two')]
  slow.socket.pause()
  let received = 0
  fast.socket.on('data', (text) => (received += text.length))
  const text = `data: ${'x'.repeat(64 * 1024)}\n\n`
  let sent = 0
  await waitUntil('the slow reader is dropped', async () => {
    for (const stream of streams) streams.send(stream, text)
    sent += text.length
    await waitUntil('the fast reader has read', () => received >= sent, { timeoutMs: 2000, intervalMs: 1 })
    return streams.size === 1
  })
  expect([...streams]).toEqual([fast.stream])
  expect(slow.stream.response.destroyed).toBe(true)
  // The system holds a few megabytes; what it does not take is bounded.
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})

test('a reader that leaves is forgotten, and writing to it harms no one', async () => {
  const { socket, stream } = await open()
  socket.resetAndDestroy()
  await waitUntil('it is forgotten', () => streams.size === 0)
  expect(() => streams.send(stream, ':\n\n')).not.toThrow()
})

test('a silent stream gets a comment every 20 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { socket } = await open()
  let text = ''
  socket.on('data', (part) => (text += String(part)))
  vi.advanceTimersByTime(20_000)
  vi.useRealTimers()
  await waitUntil('the comment arrives', () => text.endsWith(':\n\n\r\n'))
  expect(streams.size).toBe(1)
})

test('an account that opens too many loses the oldest', async () => {
  const first = await open('session 0')
  for (let nth = 1; nth <= MAX_STREAMS_OF_ACCOUNT; nth++) await open(`session ${nth}`)
  expect(streams.size).toBe(MAX_STREAMS_OF_ACCOUNT)
  expect([...streams]).not.toContain(first.stream)
})

test('a server with too many streams refuses another one, and so does one that stops', async () => {
  const { stream } = await open()
  for (let nth = 1; nth < MAX_STREAMS; nth++)
    streams.add({
      ...stream,
      credential: `session ${nth}`,
      account: `account ${nth}`,
      response: Object.assign(Object.create(stream.response), { once: () => {}, on: () => {} }) as ServerResponse,
    })
  expect(() => streams.add({ ...stream, credential: 'another', account: 'another' })).toThrow('The server has too many open pages')
  const other = new LiveStreams()
  other.close()
  expect(() => other.add(stream)).toThrow('The server has too many open pages')
})
