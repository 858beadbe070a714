import { randomBytes } from 'node:crypto'
import { createServer, connect, type NetConnectOpts, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * How a thing someone depends on can be: as it should, down (connections are refused, those there are broken off), silent (connections are taken
 * and those there kept, and not a byte comes), slow (every answer comes, so many milliseconds late), or answering with what is no answer.
 */
export type Fault = 'well' | 'down' | 'silent' | { readonly lateMs: number } | { readonly says: () => Buffer }

/** What is no answer in any language spoken here: noise, and the page of a web server on the wrong port. */
export const noise = (): Buffer => randomBytes(512)
export const wrongServer = (): Buffer => Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<h1>Bad Request</h1>\r\n')

/** A place between us and something we depend on, where it can be made to fail. */
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

/** Is in front of `target`, which may be named later by whatever has to know this place’s port first. */
export const startFaultProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => {
  let mood: Fault = 'well'
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // A connection that breaks is what this is about.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    return socket
  }
  const answer = (front: Socket, bytes: Buffer | undefined): void => {
    if (mood === 'well') return void (bytes && front.writable && front.write(bytes))
    if (typeof mood === 'string') return
    if ('says' in mood) return void (front.writable && front.write(mood.says()))
    setTimeout(() => bytes && front.writable && front.write(bytes), mood.lateMs).unref()
  }
  const take = (front: Socket): void => {
    keep(front)
    const back = keep(connect(target()))
    front.on('data', (bytes) => {
      if (typeof mood === 'object' && 'says' in mood) answer(front, undefined)
      else if (mood !== 'silent' && back.writable) back.write(bytes)
    })
    back.on('data', (bytes) => {
      // What was on its way stays lost: who waited for it has no reason to trust what comes after.
      if (typeof mood === 'object' && 'says' in mood) return
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
