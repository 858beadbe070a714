import { randomBytes } from 'node:crypto'
import { createServer, connect, type NetConnectOpts, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * The fault of a dependency: none, down (connections are refused and closed), silent (connections are accepted and stay open, but no byte
 * arrives), slow (every response is delayed by this many milliseconds), or answering with invalid data.
 */
export type Fault = 'none' | 'down' | 'silent' | { readonly lateMs: number } | { readonly reply: () => Buffer }

/** Data that is invalid in every protocol used here: noise, and the page of a web server on the wrong port. */
export const noise = (): Buffer => randomBytes(512)
export const wrongServer = (): Buffer => Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<h1>Bad Request</h1>\r\n')

/** A proxy between the server and a dependency that can simulate failures. */
export interface FaultProxy extends AsyncDisposable {
  readonly port: number
  readonly setFault: (fault: Fault) => Promise<void>
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

/** Proxies to `target`, which may be set later if it needs to know this port first. */
export const startFaultProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => {
  let fault: Fault = 'none'
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // Broken connections are intended.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    return socket
  }
  const answer = (front: Socket, bytes: Buffer | undefined): void => {
    if (fault === 'none') return void (bytes && front.writable && front.write(bytes))
    if (typeof fault === 'string') return
    if ('reply' in fault) return void (front.writable && front.write(fault.reply()))
    setTimeout(() => bytes && front.writable && front.write(bytes), fault.lateMs).unref()
  }
  const take = (front: Socket): void => {
    keep(front)
    const back = keep(connect(target()))
    front.on('data', (bytes) => {
      if (typeof fault === 'object' && 'reply' in fault) answer(front, undefined)
      else if (fault !== 'silent' && back.writable) back.write(bytes)
    })
    back.on('data', (bytes) => {
      // Data in transit is dropped, since its recipient cannot trust anything that follows.
      if (typeof fault === 'object' && 'reply' in fault) return
      answer(front, bytes)
    })
    front.on('close', () => back.destroy())
    back.on('close', () => front.destroy())
  }
  const open = async (port: number): Promise<Server> => {
    const opened = createServer(take)
    await listen(opened, port)
    return opened
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
      const wasDown = fault === 'down'
      fault = next
      if (next === 'down') await shut()
      else if (wasDown) server = await open(port)
    },
    [Symbol.asyncDispose]: shut,
  }
}
