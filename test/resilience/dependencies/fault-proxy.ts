import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect, type NetConnectOpts, type Server, type Socket } from 'node:net'

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

const write = (socket: Socket, bytes: Buffer): void => void (socket.writable && socket.write(bytes))

/** Proxies to `target`, which may be set later if it needs to know this port first. */
export const startFaultProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => {
  let fault: Fault = 'none'
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    // Broken connections are intended.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const take = (front: Socket): void => {
    keep(front)
    const back = keep(connect(target()))
    front.on('data', (bytes) => {
      if (typeof fault === 'object' && 'reply' in fault) write(front, fault.reply())
      else if (fault !== 'silent') write(back, bytes)
    })
    back.on('data', (bytes) => {
      if (fault === 'none') write(front, bytes)
      // With any other fault, data in transit is dropped, since its recipient cannot trust anything that follows.
      else if (typeof fault === 'object' && 'lateMs' in fault) setTimeout(write, fault.lateMs, front, bytes).unref()
    })
    front.on('close', () => back.destroy())
    back.on('close', () => front.destroy())
  }
  const open = async (port: number): Promise<Server> => {
    const opened = createServer(take).listen(port, '127.0.0.1')
    await once(opened, 'listening')
    return opened
  }
  const shut = async (): Promise<void> => {
    const closed = server && once(server, 'close')
    server?.close()
    server = undefined
    for (const socket of sockets) socket.destroy()
    await closed
  }

  server = await open(0)
  const { port } = server.address() as AddressInfo
  const setFault = async (next: Fault): Promise<void> => {
    const wasDown = fault === 'down'
    fault = next
    if (next === 'down') await shut()
    else if (wasDown) server = await open(port)
  }
  return { port, setFault, [Symbol.asyncDispose]: shut }
}
