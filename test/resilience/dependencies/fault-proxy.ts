import { randomBytes } from 'node:crypto'
import { createServer, connect, type NetConnectOpts, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * The state of a dependency: working, down (connections are refused and closed), silent (connections are accepted and stay open, but no byte
 * arrives), slow (every response is delayed by this many milliseconds), or answering with invalid data.
 */
export type Fault = 'well' | 'down' | 'silent' | { readonly lateMs: number } | { readonly reply: () => Buffer }

/** Data that is invalid in every protocol used here: noise, and the page of a web server on the wrong port. */
export const noise = (): Buffer => randomBytes(512)
export const wrongServer = (): Buffer => Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<h1>Bad Request</h1>\r\n')

/** A proxy between the server and a dependency that can simulate failures. */
export interface FaultProxy {
  readonly port: number
  readonly setFault: (mood: Fault) => Promise<void>
  readonly stop: () => Promise<void>
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

/** Proxies to `target`, which may be set later if it needs to know this port first. */
export const startFaultProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => {
  let mood: Fault = 'well'
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // Broken connections are intended.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    return socket
  }
  const answer = (front: Socket, bytes: Buffer | undefined): void => {
    if (mood === 'well') return void (bytes && front.writable && front.write(bytes))
    if (typeof mood === 'string') return
    if ('reply' in mood) return void (front.writable && front.write(mood.reply()))
    setTimeout(() => bytes && front.writable && front.write(bytes), mood.lateMs).unref()
  }
  const take = (front: Socket): void => {
    keep(front)
    const back = keep(connect(target()))
    front.on('data', (bytes) => {
      if (typeof mood === 'object' && 'reply' in mood) answer(front, undefined)
      else if (mood !== 'silent' && back.writable) back.write(bytes)
    })
    back.on('data', (bytes) => {
      // Data in transit is dropped, since its recipient cannot trust anything that follows.
      if (typeof mood === 'object' && 'reply' in mood) return
      answer(front, bytes)
    })
    front.on('close', () => back.destroy())
    back.on('close', () => front.destroy())
  }
  const open = async (port: number): Promise<Server> => {
    const made = createServer(take)
    await listen(made, port)
    return made
  }
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      if (server === undefined) return resolve()
      server.close(() => resolve())
      server = undefined
      for (const socket of sockets) socket.destroy()
    })

  server = await open(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    setFault: async (next) => {
      const wasDown = mood === 'down'
      mood = next
      if (next === 'down') await shut()
      else if (wasDown) server = await open(port)
    },
    stop: shut,
  }
}
