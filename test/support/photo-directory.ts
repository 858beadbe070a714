import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A directory service with configurable behavior, over a real connection. */
export interface PhotoDirectory {
  /** The value of GRAPH_URL. */
  readonly url: string
  /** The requests received, oldest first. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
  /** The response to further requests. */
  respond: (request: IncomingMessage, response: ServerResponse) => void
  /** The number of pending requests. */
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

/** Microsoft Graph's response for someone without a photo. */
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
/** Accepts the request and never responds. */
export const respondNever: Responder = () => undefined
/** Starts a response and never ends it. */
export const respondPartly: Responder = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/jpeg' }).write('\xff\xd8')
export const resetConnection: Responder = (request) => void request.socket.resetAndDestroy()
/** An endless body, sent as fast as it is read; reports how much was sent. */
export const createEndlessResponder = (): { readonly answer: Responder; readonly sent: () => number } => {
  let sent = 0
  const chunk = Buffer.alloc(65_536, 7)
  const answer: Responder = (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' })
    const pump = (): void => {
      while (!response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', pump)
      }
    }
    pump()
  }
  return { answer, sent: () => sent }
}
