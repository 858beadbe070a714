import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** Hop-by-hop headers, which are not forwarded. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Header names and values as received, without hop-by-hop headers. */
const passedOn = (raw: readonly string[]): string[] =>
  raw.flatMap((name, at) => (at % 2 === 0 && !OF_THE_CONNECTION.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : []))

/**
 * A minimal reverse proxy: the path decides which ports a request is sent to, until one of them answers, and everything else is forwarded unchanged,
 * including Host. Only a request without a body can be sent to a second port. Idle connections are closed after `idleMs`.
 */
export const startReverseProxy = async (
  listPorts: (path: string) => readonly number[],
  idleMs = 60_000,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const agent = new Agent({ keepAlive: true, timeout: idleMs })
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, [port, ...others]: readonly number[]): void => {
    const { method, url, rawHeaders } = incoming
    const headers = passedOn(rawHeaders)
    if (incoming.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked')
    const onward = request({ agent, host: '127.0.0.1', port, method, path: url, headers })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders))
      pipeline(answer, outgoing, () => undefined)
    })
    onward.on('error', () => {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy()
      else if (others.length > 0) pass(incoming, outgoing, others)
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The part that answers this is away')
    })
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, listPorts(incoming.url ?? '/')))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
      agent.destroy()
    })
  return { port: (server.address() as AddressInfo).port, stop }
}
