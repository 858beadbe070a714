import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { EventBody } from '../../src/features/exchange/webhooks/contract.ts'

/** A message as received by the endpoint. */
export interface ReceivedMessage {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: EventBody
}

/** The response status, optionally with headers; or no response, with the connection left open or closed. */
type Answer = number | { readonly status: number; readonly headers: Record<string, string> } | 'hangs' | 'breaks'

export interface WebhookEndpoint {
  readonly url: string
  /** Every received message, including repeats. */
  readonly received: ReceivedMessage[]
  /** The maximum number of concurrent messages. */
  readonly mostAtOnce: () => number
  /** The number of connections, whatever was sent over them. */
  readonly connections: () => number
  /** The response to further messages. */
  answer: (message: ReceivedMessage) => Answer | Promise<Answer>
  readonly stop: () => Promise<void>
}

/** A program on loopback that receives webhooks. */
export const startWebhookEndpoint = async (): Promise<WebhookEndpoint> => {
  const received: ReceivedMessage[] = []
  let [connections, atOnce, mostAtOnce] = [0, 0, 0]
  const endpoint = { answer: (): Answer | Promise<Answer> => 204 } as Pick<WebhookEndpoint, 'answer'>
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = { id: String(request.headers['webhook-id']), headers: request.headers, text, body: JSON.parse(text) as EventBody }
      received.push(message)
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      response.once('close', () => atOnce--)
      const reply = async (): Promise<void> => {
        const answer = await endpoint.answer(message)
        if (answer === 'hangs') return
        if (answer === 'breaks') return void request.socket.destroy()
        const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer
        response.writeHead(status, headers).end()
      }
      void reply()
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(endpoint, {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    mostAtOnce: () => mostAtOnce,
    connections: () => connections,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
