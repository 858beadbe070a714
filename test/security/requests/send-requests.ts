import { endsSessions } from '../../support/api-client.ts'
import { type HttpClient, openHttpClient } from '../../support/http-requests.ts'
import { runConcurrently } from '../../support/run-concurrently.ts'
import { type GeneratedRequest, generateRequests } from './generated-requests.ts'

export interface RequestTotals {
  sent: number
  readonly byClass: Record<string, number>
  /** No response, or a status of 500 or more. */
  readonly failed: string[]
  /** Responses that disclose a stack trace, a path, SQL or a message of the database or Node. */
  readonly disclosing: string[]
  readonly notProblems: string[]
}

const INTERNALS =
  /node_modules|node:internal|\.[cm]?[jt]s:\d+|\n\s+at \S|\/src\/|\/tmp\/|\b(from|into|update|join)\s+"\w+"|\bselect\s+.{1,80}\s+from\s+\w+\s+where\b|relation "|syntax error at|invalid input syntax|violates|ECONN|kysely|SQLSTATE/i

/** A body that is too large may be refused before it is read: the connection is closed while it is sent. */
const MAX_READ_BYTES = 500_000

/** The user of a request, and the loopback address it comes from. */
export interface Sender {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly from: string
}

/** Sends generated requests concurrently, and counts the responses. */
export const sendGeneratedRequests = async (
  url: string,
  options: {
    requests: number
    seed: number
    senders: readonly Sender[]
    ids: readonly string[]
    atOnce: number
    onSent?: (sent: number) => void
  },
): Promise<RequestTotals> => {
  const { requests, seed, senders, ids, atOnce, onSent } = options
  const totals: RequestTotals = { sent: 0, byClass: {}, failed: [], disclosing: [], notProblems: [] }
  const clients = new Map(senders.map(({ from }) => [from, openHttpClient(url, { maxSockets: atOnce, localAddress: from })]))
  const anonymous = senders.filter(({ headers }) => Object.keys(headers).length === 0)
  let completed = 0
  const count = (kind: string): void => void (totals.byClass[kind] = (totals.byClass[kind] ?? 0) + 1)

  const sendOne = async ({ call, method, path, headers, body }: GeneratedRequest, sender: Sender): Promise<void> => {
    const description = `${method} ${path.slice(0, 200)} by ${sender.name} ${(body ?? '').slice(0, 300)}`
    const { send } = clients.get(sender.from) as HttpClient
    try {
      const response = await send(method, path, { headers: { ...headers, ...sender.headers }, body })
      const { status } = response
      count(status === 429 ? '429' : `${Math.floor(status / 100)}xx`)
      if (status >= 500) totals.failed.push(`${status} ${description}`)
      if (status < 400) return
      if (INTERNALS.test(response.body)) totals.disclosing.push(`${description}: ${response.body.slice(0, 300)}`)
      const type = String(response.headers['content-type'])
      const isExempt = method === 'HEAD' || path.startsWith('/local-provider') || call.path.startsWith('/auth')
      if (!type.startsWith('application/problem+json') && !isExempt) totals.notProblems.push(`${status} ${type} ${description}`)
    } catch (error) {
      const isLarge = Buffer.byteLength(body ?? '') > MAX_READ_BYTES
      count(isLarge ? 'closed while a large body was sent' : 'broken off')
      if (!isLarge) totals.failed.push(`${error instanceof Error ? error.message : ''} ${description}`)
    }
  }
  await runConcurrently(generateRequests(ids, seed).take(requests), atOnce, async (request) => {
    const among = endsSessions(request.call) ? anonymous : senders
    await sendOne(request, among[totals.sent++ % among.length] as Sender)
    onSent?.(++completed)
  })
  for (const { close } of clients.values()) close()
  return totals
}
