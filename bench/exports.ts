import { request } from 'node:http'

import { downloads, EXPORTS, type ExportKind } from '../src/features/exchange/exports/contract.ts'
import type { Figure } from './figures.ts'
import { median } from './load.ts'
import type { Network } from './network.ts'

/** The workbooks that are measured. */
const KINDS: readonly ExportKind[] = ['charter_affairs', 'facilities', 'site_leadership']
const ROUNDS = 5
/** How often the server's memory is read. */
const SAMPLE_INTERVAL_MS = 20

interface Download {
  /** Milliseconds until the first byte of the body. */
  readonly first: number
  readonly bytes: number
}

const download = ({ port }: Network, kind: ExportKind, headers: Readonly<Record<string, string>>): Promise<Download> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    request({ port, host: '127.0.0.1', path: downloads[kind].path, headers }, (response) => {
      let first: number | undefined
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        first ??= performance.now() - startedAt
        bytes += chunk.length
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ first: first ?? 0, bytes })
        else reject(new Error(`${kind} answered ${response.statusCode}`))
      })
    })
      .on('error', reject)
      .end()
  })

/** The peak memory of the server until `ended` is aborted. */
const watchPeakMemory = async (network: Network, ended: AbortSignal): Promise<number> => {
  let peak = 0
  while (!ended.aborted) {
    peak = Math.max(peak, await network.memory())
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_INTERVAL_MS))
  }
  return peak
}

/** The time to each workbook's first byte, and the server's peak memory above idle. `headers` are of a user who can download all of them. */
export const measureExports = async (network: Network, headers: Readonly<Record<string, string>>, size: string): Promise<Figure[]> => {
  const figures: Figure[] = []
  const idle = await network.memory()
  for (const kind of KINDS) {
    const ended = new AbortController()
    const peak = watchPeakMemory(network, ended.signal)
    const rounds: Download[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await download(network, kind, headers))
    ended.abort()
    const memory = await peak
    const { name } = EXPORTS[kind]
    const note = `${Math.round((rounds[0]?.bytes ?? 0) / 1024).toLocaleString('en-US')} kB`
    figures.push(
      {
        what: `${name}: first byte`,
        value: Math.round(median(rounds.map(({ first }) => first))),
        unit: 'ms',
        target: 300,
        must: 'at most',
        size,
        note,
      },
      {
        what: `${name}: memory over idle`,
        value: Math.round(memory - idle),
        unit: 'MB',
        target: 60,
        must: 'at most',
        size,
        note: 'resident',
      },
    )
  }
  return figures
}
