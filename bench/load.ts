import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { getPercentile } from '../test/support/percentile.ts'

// The server and this client share two cores, so the client must cost less than the server: docs/decisions/072-load-clients.md.

/** The result of a load in which each connection sends its next request as soon as it has the response. */
export interface LoadResult {
  /** Responses per second. */
  readonly perSecond: number
  /** Percentiles of the response time, in milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface LoadOptions {
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The status that every response must have. */
  readonly status: number
  /** The next save of a connection, instead of a GET of `path`. */
  readonly saves?: (connection: number, round: number) => { readonly path: string; readonly body: object }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Length of the body from the response head; both Homeroom and the bare server send it, and a 304 has no body. */
const getBodyLength = (head: string, status: number): number => {
  if (status === 304 || status === 204) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`A response without a length:\n${head}`)
  return Number(length)
}

/** The next request of a connection in wire format. */
const createRequestWriter = (options: LoadOptions): ((connection: number, round: number) => Buffer) => {
  const lines = Object.entries({ host: new URL(options.url).host, ...options.headers }).map(([name, value]) => `${name}: ${value}`)
  const { saves } = options
  if (!saves) {
    const request = Buffer.from(`GET ${options.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    return () => request
  }
  return (connection, round) => {
    const { path, body } = saves(connection, round)
    const json = JSON.stringify(body)
    const head = [`PATCH ${path} HTTP/1.1`, ...lines, 'content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
  }
}

/** Sends requests on one keep-alive connection, each as soon as the previous response is complete. */
const sendOnConnection = (
  socket: Socket,
  request: (round: number) => Buffer,
  { status: expectedStatus }: LoadOptions,
  endsAt: number,
  durations: number[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0)
    let rest = -1
    let round = 0
    let startedAt = performance.now()
    const next = (): void => {
      durations.push(performance.now() - startedAt)
      rest = -1
      head = Buffer.alloc(0)
      if (performance.now() > endsAt) {
        socket.end()
        resolve()
        return
      }
      startedAt = performance.now()
      socket.write(request(round++))
    }
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (rest >= 0) {
        rest -= chunk.length
      } else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf(HEAD_END)
        if (end < 0) return
        const text = head.subarray(0, end).toString('latin1')
        const status = Number(text.slice(9, 12))
        if (status !== expectedStatus) {
          reject(new Error(`The response is ${status}, not ${expectedStatus}:\n${text}`))
          return
        }
        rest = getBodyLength(text, status) - (head.length - end - HEAD_END.length)
      }
      if (rest === 0) next()
    })
    socket.write(request(round++))
  })

const openSocket = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

/** Sends requests for `seconds` on each of `connections`. */
export const runLoad = async (options: LoadOptions, seconds: number, connections = 16): Promise<LoadResult> => {
  const write = createRequestWriter(options)
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(options.url)))
  const durations: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  await Promise.all(sockets.map((socket, at) => sendOnConnection(socket, (round) => write(at, round), options, endsAt, durations)))
  const elapsed = (performance.now() - startedAt) / 1000
  return { perSecond: durations.length / elapsed, p50: getPercentile(durations, 0.5), p99: getPercentile(durations, 0.99) }
}
