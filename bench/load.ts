import { connect, type Socket } from 'node:net'

/** What came of asking one server as fast as it answers. */
export interface LoadResult {
  /** Answers a second. */
  readonly perSecond: number
  /** Milliseconds within which half and 99 of 100 were answered. */
  readonly p50: number
  readonly p99: number
}

export interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The status that every answer must have. */
  readonly status: number
  /** What one of the connections saves next, in place of asking for `path` again. */
  readonly saves?: (connection: number, turn: number) => { readonly path: string; readonly body: object }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Length of the body a head announces; Homeroom and the bare server both name it, and a 304 has none. */
const getBodyLength = (head: string, status: number): number => {
  if (status === 304 || status === 204) return 0
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without a length:\n${head}`)
  return Number(length)
}

/** The next request of a connection as it goes over the wire. */
const createRequestWriter = (asked: LoadOptions): ((connection: number, turn: number) => Buffer) => {
  const lines = Object.entries({ host: `127.0.0.1:${asked.port}`, ...asked.headers }).map(([name, value]) => `${name}: ${value}`)
  const { saves } = asked
  if (!saves) {
    const request = Buffer.from(`GET ${asked.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    return () => request
  }
  return (connection, turn) => {
    const { path, body } = saves(connection, turn)
    const json = JSON.stringify(body)
    const head = [`PATCH ${path} HTTP/1.1`, ...lines, 'content-type: application/json', `content-length: ${Buffer.byteLength(json)}`]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
  }
}

/** One kept connection that asks again as soon as it is answered. */
const sendOnConnection = (
  socket: Socket,
  request: (turn: number) => Buffer,
  { status: wanted }: LoadOptions,
  until: number,
  took: number[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0)
    let rest = -1
    let turn = 0
    let began = performance.now()
    const next = (): void => {
      took.push(performance.now() - began)
      rest = -1
      head = Buffer.alloc(0)
      if (performance.now() > until) {
        socket.end()
        resolve()
        return
      }
      began = performance.now()
      socket.write(request(turn++))
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
        if (status !== wanted) {
          reject(new Error(`Answered ${status}, not ${wanted}:\n${text}`))
          return
        }
        rest = getBodyLength(text, status) - (head.length - end - HEAD_END.length)
      }
      if (rest === 0) next()
    })
    socket.write(request(turn++))
  })

/** Asks for so many seconds on so many connections at once. */
export const runLoad = async (asked: LoadOptions, seconds: number, connections = 16): Promise<LoadResult> => {
  const write = createRequestWriter(asked)
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(asked.port, '127.0.0.1', () => resolve(socket)).setNoDelay(true)
          socket.once('error', reject)
        }),
    ),
  )
  const took: number[] = []
  const began = performance.now()
  await Promise.all(sockets.map((socket, at) => sendOnConnection(socket, (turn) => write(at, turn), asked, began + seconds * 1000, took)))
  const elapsed = (performance.now() - began) / 1000
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  return { perSecond: took.length / elapsed, p50: at(0.5), p99: at(0.99) }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
