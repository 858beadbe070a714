import { copyFile, open, truncate } from 'node:fs/promises'

import { checkBackupFile, InvalidBackup } from '../../../src/backup/backup-file.server.ts'
import { restore } from '../../../src/backup/restore.server.ts'

/** `count` positions in a file, spread over all of it and including both ends, in descending order. */
export const pickOffsets = (size: number, count: number): number[] => {
  const ends = Array.from({ length: Math.min(size, 64) }, (_, at) => [at, size - 1 - at]).flat()
  const spread = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * size) / count))
  return [...new Set([...ends, ...spread])].toSorted((a, b) => b - a)
}

/** Tries to open a file like `npm run restore`; returns whether it was refused before anything was opened. */
const isRefused = async (path: string): Promise<boolean> => {
  let isOpened = false
  const place = (): Promise<never> => {
    isOpened = true
    throw new Error('It was about to write')
  }
  const error: unknown = await restore(place, path).catch((reason: unknown) => reason)
  return error instanceof InvalidBackup && !isOpened
}

export interface DamageReport {
  readonly tried: number
  /** Descriptions of the damaged files that were accepted. */
  readonly taken: string[]
}

/** Flips one bit at each position, and truncates the file at each of them, in a copy; the copy ends up empty. */
export const damageAt = async (backup: string, copy: string, places: readonly number[]): Promise<DamageReport> => {
  await copyFile(backup, copy)
  await checkBackupFile(copy)
  const taken: string[] = []
  for (const [nth, at] of places.entries()) {
    await flipBit(copy, at, nth % 8)
    if (!(await isRefused(copy))) taken.push(`bit ${nth % 8} of byte ${at} altered`)
    await flipBit(copy, at, nth % 8)
  }
  await checkBackupFile(copy)
  for (const at of places) {
    await truncate(copy, at)
    if (!(await isRefused(copy))) taken.push(`cut off after ${at} bytes`)
  }
  return { tried: 2 * places.length, taken }
}

/** Flips one bit of a file. */
export const flipBit = async (path: string, at: number, bit: number): Promise<void> => {
  const file = await open(path, 'r+')
  try {
    const byte = Buffer.alloc(1)
    await file.read(byte, 0, 1, at)
    await file.write(Buffer.from([(byte[0] ?? 0) ^ (1 << bit)]), 0, 1, at)
  } finally {
    await file.close()
  }
}
