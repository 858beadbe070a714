import { request } from 'node:http'

import { downloads, EXPORTS, type ExportKind } from '../src/features/exchange/exports/contract.ts'
import type { Figure } from './figures.ts'
import { median } from './load.ts'
import type { Network } from './network.ts'

/** The three that the issue names. */
const KINDS: readonly ExportKind[] = ['charter_affairs', 'facilities', 'site_leadership']
const ROUNDS = 5
/** How often the server's memory is looked at. */
const SAMPLE_INTERVAL_MS = 20

interface Download {
  /** Milliseconds until the first byte of the body. */
  readonly first: number
  readonly bytes: number
}

const download = ({ port }: Network, kind: ExportKind, headers: Readonly<Record<string, string>>): Promise<Download> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    request({ port, host: '127.0.0.1', path: downloads[kind].path, headers }, (response) => {
      let first: number | undefined
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        first ??= performance.now() - began
        bytes += piece.length
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

/** The most memory the server has until it is over. */
const watchPeakMemory = async (network: Network, over: AbortSignal): Promise<number> => {
  let most = 0
  while (!over.aborted) {
    most = Math.max(most, await network.memory())
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_INTERVAL_MS))
  }
  return most
}

/** Each workbook's first byte, and what the server needs over what it had while idle. `headers` are of somebody who may have them all. */
export const measureExports = async (network: Network, headers: Readonly<Record<string, string>>, size: string): Promise<Figure[]> => {
  const figures: Figure[] = []
  const idle = await network.memory()
  for (const kind of KINDS) {
    const over = new AbortController()
    const most = watchPeakMemory(network, over.signal)
    const rounds: Download[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await download(network, kind, headers))
    over.abort()
    const memory = await most
    const { name } = EXPORTS[kind]
    const note = `${Math.round((rounds[0]?.bytes ?? 0) / 1024).toLocaleString('en-US')} kB`
    figures.push(
      { what: `${name}: first byte`, value: Math.round(median(rounds.map(({ first }) => first))), unit: 'ms', target: 300, must: 'at most', size, note }, // prettier-ignore
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
