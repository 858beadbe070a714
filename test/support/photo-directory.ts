import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A directory service with a mind of its own, over a real connection. */
export interface PhotoDirectory {
  /** What GRAPH_URL is set to. */
  readonly url: string
  /** What it was requests, oldest first. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
  /** How it answers from now on. */
  respond: (request: IncomingMessage, response: ServerResponse) => void
  /** Requests that someone waits for right now. */
  readonly countOpenRequests: () => number
  readonly close: () => Promise<void>
}

export const startPhotoDirectory = async (): Promise<PhotoDirectory> => {
  const requests: PhotoDirectory['requests'] = []
  let open = 0
  const server = createServer((request, response) => {
    open++
    response.once('close', () => open--)
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    directory.respond(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const directory: PhotoDirectory = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.0`,
    requests,
    respond: respondNotFound,
    countOpenRequests: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return directory
}

type Responder = PhotoDirectory['respond']

/** As Microsoft Graph says that someone has no photo. */
export const respondNotFound: Responder = (_request, response) =>
  void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":"ImageNotFound"}}')
export const respondWith =
  (bytes: Uint8Array | string, type = 'image/jpeg'): Responder =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(bytes)
export const respondWithStatus =
  (code: number, headers: Record<string, string> = {}): Responder =>
  (_request, response) =>
    void response.writeHead(code, headers).end('{"error":{}}')
/** Takes the request and says nothing, ever. */
export const respondNever: Responder = () => undefined
/** Begins, and never ends. */
export const respondPartly: Responder = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/jpeg' }).write('\xff\xd8')
export const resetConnection: Responder = (request) => void request.socket.resetAndDestroy()
/** A body without an end, as fast as it is taken; tells how much went. */
export const createEndlessResponder = (): { readonly answer: Responder; readonly sent: () => number } => {
  let sent = 0
  const piece = Buffer.alloc(65_536, 7)
  const answer: Responder = (_request, response) => {
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
