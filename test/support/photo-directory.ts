import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A directory service with a mind of its own, over a real connection. */
export interface Directory {
  /** What GRAPH_URL is set to. */
  readonly url: string
  /** What it was asked, oldest first. */
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[]
  /** How it answers from now on. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests that somebody waits for right now. */
  readonly open: () => number
  readonly close: () => Promise<void>
}

export const startDirectory = async (): Promise<Directory> => {
  const asked: Directory['asked'] = []
  let open = 0
  const server = createServer((request, response) => {
    open++
    response.once('close', () => open--)
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
    directory.answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const directory: Directory = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.0`,
    asked,
    answer: none,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return directory
}

type Answer = Directory['answer']

/** As Microsoft Graph says that somebody has no photo. */
export const none: Answer = (_request, response) =>
  void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":"ImageNotFound"}}')
export const sends =
  (bytes: Uint8Array | string, type = 'image/jpeg'): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(bytes)
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end('{"error":{}}')
/** Takes the request and says nothing, ever. */
export const hangs: Answer = () => undefined
/** Begins, and never ends. */
export const stalls: Answer = (_request, response) => void response.writeHead(200, { 'content-type': 'image/jpeg' }).write('\xff\xd8')
export const resets: Answer = (request) => void request.socket.resetAndDestroy()
/** A body without an end, as fast as it is taken; tells how much went. */
export const endless = (): { readonly answer: Answer; readonly sent: () => number } => {
  let sent = 0
  const piece = Buffer.alloc(65_536, 7)
  const answer: Answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    const pour = (): void => {
      while (!response.destroyed) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', pour)
      }
    }
    pour()
  }
  return { answer, sent: () => sent }
}
