import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { uploadPicture } from '../../../src/features/record-tools/pictures/contract.ts'

/**
 * An upload that never ends: a few bytes a second, for as long as the server accepts them. Returns after how many seconds it was aborted, and the
 * response.
 */
export const uploadEndlessly = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<{ seconds: number; status: number }> => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (bytes: Buffer) => void (received += bytes.toString()))
  socket.on('error', () => undefined)
  const lines = Object.entries({ ...headers, host, 'content-type': 'multipart/form-data; boundary=slow', 'content-length': '1000000' })
  socket.write(`POST ${uploadPicture.path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  socket.write('--slow\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n')
  const started = Date.now()
  while (!socket.closed && Date.now() - started < most * 1000) {
    socket.write('x')
    await pause(500)
  }
  socket.destroy()
  return { seconds: Math.round((Date.now() - started) / 1000), status: Number(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 0) }
}
