import { hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

import { type CompressedPart, compressPart, decompressPart } from './gzip-parts.ts'

/** The JSON of a row, or bytes of an old part: one row, or several with the commas between them. */
export type Piece = string | { readonly old: number; readonly start: number; readonly end: number }

/** A part to compress: its rows in order, and the compressed old parts that pieces are taken from. */
export interface PartTask {
  readonly id: number
  readonly pieces: readonly Piece[]
  readonly olds: readonly Uint8Array[]
  /** The size of the part before compression. */
  readonly length: number
}

/** The part, and the SHA-256 of each row that was given as text. */
export type PartResult = { readonly id: number } & (
  | { readonly part: CompressedPart; readonly digests: readonly Uint8Array[] }
  | { readonly error: unknown }
)

const COMMA = 0x2c
/** Used for one part after another: new memory for each would be returned to the system right after. */
let scratch = Buffer.alloc(0)

const createPart = async ({ pieces, olds, length }: PartTask): Promise<Omit<Extract<PartResult, { part: unknown }>, 'id'>> => {
  const unpacked: Buffer[] = []
  for (const packed of olds) unpacked.push(await decompressPart({ packed: Buffer.from(packed.buffer) }))
  if (scratch.length < length) scratch = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) {
    if (at > 0) scratch[at++] = COMMA
    at += typeof piece === 'string' ? scratch.write(piece, at) : (unpacked[piece.old]?.copy(scratch, at, piece.start, piece.end) ?? 0)
  }
  const digests = pieces.filter((piece) => typeof piece === 'string').map((json) => hash('sha256', json, 'buffer'))
  return { part: await compressPart(scratch.subarray(0, at)), digests }
}

let previous: Promise<unknown> = Promise.resolve()
parentPort?.on('message', (task: PartTask) => {
  previous = previous
    .then(() => createPart(task))
    .then(
      (result) => parentPort?.postMessage({ id: task.id, ...result } satisfies PartResult, [result.part.packed.buffer as ArrayBuffer]),
      // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
      (error: unknown) => parentPort?.postMessage({ id: task.id, error } satisfies PartResult),
    )
})
