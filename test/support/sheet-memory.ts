import { setTimeout as pause } from 'node:timers/promises'

import type { HostileSheet } from './hostile-sheets.ts'
import { createFileForm } from './http-requests.ts'
import { readMemoryMegabytes } from './process-memory.ts'
import type { TestServer } from './server.ts'
import { type SignedInUser, signInAt } from './sessions.ts'

/** What a file may take while it is read, over what the server takes when idle; also for three files at once. */
export const MAX_MEGABYTES_OVER_IDLE = 150
const SAMPLE_MS = 20
const MAX_REST_MS = 20_000
const MAX_LEFT_MEGABYTES = 20
const AT_ONCE = 3

export interface SheetOutcome {
  readonly what: string
  readonly megabytesAlone: number
  readonly megabytesAtOnce: number
  /** What is wrong; empty if everything is correct. */
  readonly wrong: readonly string[]
}

/** Uploads files one by one, each alone and then three times at once, while the memory of the server is measured. */
export const measureSheets = async (server: TestServer, sheets: readonly HostileSheet[]): Promise<SheetOutcome[]> => {
  const { pid } = server.program.child
  const users = await Promise.all(Array.from({ length: AT_ONCE }, () => signInAt(server, 6)))
  const upload = async (bytes: Buffer, name: string, { headers }: SignedInUser): Promise<readonly [number, string]> => {
    const body = createFileForm(new File([Uint8Array.from(bytes)], name))
    const response = await fetch(`${server.url}/api/sheets/sites/preview`, { method: 'POST', headers, body })
    const problem = (await response.json()) as { readonly errors?: readonly { readonly message: string }[] }
    return [response.status, problem.errors?.[0]?.message ?? '']
  }
  const measure = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
    let most = 0
    const sampling = setInterval(() => (most = Math.max(most, readMemoryMegabytes(pid))), SAMPLE_MS)
    const result = await work().finally(() => clearInterval(sampling))
    return [result, Math.round(most - idle)]
  }
  for (const user of users) await upload(Buffer.from('_id,City\n,Lodi\n'), 'small.csv', user)
  await pause(1000)
  const idle = readMemoryMegabytes(pid)
  // What an earlier file took is given back some seconds after its last request.
  const rest = async (): Promise<void> => {
    const until = Date.now() + MAX_REST_MS
    while (readMemoryMegabytes(pid) > idle + MAX_LEFT_MEGABYTES && Date.now() < until) await pause(500)
  }
  const outcomes: SheetOutcome[] = []
  for (const { what, name, make, refusal } of sheets) {
    const bytes = await make()
    await rest()
    const [first] = users as [SignedInUser]
    const [alone, megabytesAlone] = await measure(() => upload(bytes, name, first))
    await rest()
    const [others, megabytesAtOnce] = await measure(() => Promise.all(users.map((user) => upload(bytes, name, user))))
    const isExpected = ([status, message]: readonly [number, string]) =>
      refusal === null ? status === 200 : status === 422 && refusal.test(message)
    const wrong = [alone, ...others].filter((one) => !isExpected(one)).map(([status, message]) => `${status} ${message}`)
    const isAlive = (await fetch(`${server.url}/healthz`)).ok
    outcomes.push({ what, megabytesAlone, megabytesAtOnce, wrong: isAlive ? wrong : [...wrong, 'the server does not answer'] })
  }
  return outcomes
}
