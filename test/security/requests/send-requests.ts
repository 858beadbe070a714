import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'

import type { Call } from '../../../src/contract/call.ts'
import { calls } from '../../../src/routes.server.ts'
import { chanceOf, type Generated, generate, type Pool } from './generated-requests.ts'

/** What came of many requests. */
export interface Sums {
  sent: number
  readonly byClass: Record<string, number>
  readonly failed: string[]
  readonly told: string[]
  readonly notProblems: string[]
}

/** Marks of a program's inside: traces, paths, SQL and the messages of the database and of Node. */
const INSIDE =
  /node_modules|node:internal|\.[cm]?[jt]s:\d+|\n\s+at \S|\/src\/|\/tmp\/|\b(from|into|update|join)\s+"\w+"|\bselect\s+.{1,80}\s+from\s+\w+\s+where\b|relation "|syntax error at|invalid input syntax|violates|ECONN|kysely|SQLSTATE/i

const ask = (agent: Agent, url: URL, { method, path, headers, body }: Generated): Promise<{ status: number; type: string; body: string }> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const out = send(
      { agent, hostname: url.hostname, port: url.port, method, path, headers: { host: url.host, ...length, ...headers } },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type']),
            body: Buffer.concat(pieces).toString(),
          }),
        )
      },
    )
    out.setTimeout(120_000, () => out.destroy(new Error('no answer in two minutes')))
    out.on('error', reject)
    out.end(body)
  })

/** Who a request is sent as, and from which of the machine's loopback addresses. */
export interface Sender {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly from: string
}

/** Calls that would end the senders' own sessions are sent by nobody. */
const endsSessions = ({ path, method }: Call): boolean =>
  /logout|sign-out|\/sessions/.test(path) && (method !== 'GET' || /logout/.test(path))

/** Sends so many generated requests, several at once, and sums up what comes of them. */
export const sendMany = async (
  base: string,
  {
    requests,
    seed,
    senders,
    pool,
    atOnce,
    each,
  }: { requests: number; seed: number; senders: readonly Sender[]; pool: Pool; atOnce: number; each?: (sent: number) => void },
): Promise<Sums> => {
  const url = new URL(base)
  const chance = chanceOf(seed)
  const sums: Sums = { sent: 0, byClass: {}, failed: [], told: [], notProblems: [] }
  const agents = new Map(senders.map(({ from }) => [from, new Agent({ keepAlive: true, maxSockets: atOnce, localAddress: from })]))
  let done = 0
  const nobody = senders.filter(({ headers }) => Object.keys(headers).length === 0)
  const worker = async (): Promise<void> => {
    while (sums.sent < requests) {
      sums.sent++
      const call = calls[Math.floor(chance() * calls.length)] as Call
      const among = endsSessions(call) ? nobody : senders
      const sender = among[Math.floor(chance() * among.length)] as Sender
      const generated = generate(chance, call, pool)
      const named = `${generated.method} ${generated.path.slice(0, 200)} by ${sender.name} ${(generated.body ?? '').slice(0, 300)}`
      try {
        const answer = await ask(agents.get(sender.from) as Agent, url, {
          ...generated,
          headers: { ...generated.headers, ...sender.headers },
        })
        const kind = answer.status === 429 ? '429' : `${Math.floor(answer.status / 100)}xx`
        sums.byClass[kind] = (sums.byClass[kind] ?? 0) + 1
        if (answer.status >= 500) sums.failed.push(`${answer.status} ${named}`)
        if (answer.status >= 400 && INSIDE.test(answer.body)) sums.told.push(`${named}: ${answer.body.slice(0, 300)}`)
        if (
          answer.status >= 400 &&
          generated.method !== 'HEAD' &&
          !answer.type.startsWith('application/problem+json') &&
          !generated.path.startsWith('/local-provider') &&
          !call.path.startsWith('/auth')
        )
          sums.notProblems.push(`${answer.status} ${answer.type} ${named}`)
      } catch (error) {
        // A body that is too large may be refused before it is read: the connection is closed under it.
        const kind = Buffer.byteLength(generated.body ?? '') > 500_000 ? 'closed while a large body was sent' : 'broken off'
        sums.byClass[kind] = (sums.byClass[kind] ?? 0) + 1
        if (kind === 'broken off') sums.failed.push(`${error instanceof Error ? error.message : ''} ${named}`)
      }
      done++
      each?.(done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  for (const agent of agents.values()) agent.destroy()
  return sums
}

/** Megabytes a process has in memory. */
export const memoryOf = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
