import { setTimeout as pause } from 'node:timers/promises'

import { downloads, EXPORTS, type ExportKind } from '../src/app/exports/contract.ts'
import type { Network } from '../test/support/large-network.ts'
import { getMedian } from '../test/support/percentile.ts'
import { openResponse } from './http.ts'

/** The workbooks that are measured. */
const KINDS: readonly ExportKind[] = ['charter_affairs', 'facilities', 'site_leadership']
const ROUNDS = 5
/** How often the server's memory is read. */
const SAMPLE_INTERVAL_MS = 20

export interface MeasuredExport {
  readonly name: string
  readonly bytes: number
  /** Milliseconds until the first byte of the body. */
  readonly firstByteMs: number
  /** The server's peak memory above idle. */
  readonly megabytesOverIdle: number
}

const download = async (network: Network, kind: ExportKind): Promise<Pick<MeasuredExport, 'bytes' | 'firstByteMs'>> => {
  const startedAt = performance.now()
  const response = await openResponse(network, downloads[kind].path, { headers: network.administrator })
  let firstByteMs: number | undefined
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    firstByteMs ??= performance.now() - startedAt
    bytes += chunk.length
  }
  return { bytes, firstByteMs: firstByteMs ?? 0 }
}

/** The peak memory of the server until `ended` is aborted. */
const watchPeakMemory = async (network: Network, ended: AbortSignal): Promise<number> => {
  let peak = 0
  while (!ended.aborted) {
    peak = Math.max(peak, network.memory())
    await pause(SAMPLE_INTERVAL_MS)
  }
  return peak
}

/** Downloads each workbook several times. */
export const measureExports = async (network: Network): Promise<MeasuredExport[]> => {
  const measured: MeasuredExport[] = []
  const idle = network.memory()
  for (const kind of KINDS) {
    const ended = new AbortController()
    const peak = watchPeakMemory(network, ended.signal)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await download(network, kind))
    ended.abort()
    measured.push({
      name: EXPORTS[kind].name,
      bytes: rounds[0]?.bytes ?? 0,
      firstByteMs: getMedian(rounds.map(({ firstByteMs }) => firstByteMs)),
      megabytesOverIdle: (await peak) - idle,
    })
  }
  return measured
}
