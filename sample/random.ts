import { createHash } from 'node:crypto'

/** A small seeded generator (sfc32): the same words always produce the same numbers. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number
  /** An integer from `least` to `most`, both inclusive. */
  readonly int: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(from: readonly T[]) => T
  /** Up to `count` distinct ones, in their original order. */
  readonly some: <T>(from: readonly T[], count: number) => T[]
  readonly shuffled: <T>(list: readonly T[]) => T[]
}

type Word = string | number

const toDigest = (words: readonly Word[]): Buffer => createHash('sha256').update(words.join('\n')).digest()

/** A separate generator for each purpose, so that a new one does not change the numbers of the others. */
export const createRandom = (...words: readonly Word[]): Random => {
  const digest = toDigest(words)
  let a = digest.readUInt32LE(0)
  let b = digest.readUInt32LE(4)
  let c = digest.readUInt32LE(8)
  let counter = digest.readUInt32LE(12)
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(from: readonly T[]): T => {
    if (from.length === 0) throw new Error('There is nothing to pick from')
    return from[int(0, from.length - 1)] as T
  }
  const shuffled = <T>(list: readonly T[]): T[] => {
    const cards = [...list]
    for (let last = cards.length - 1; last > 0; last--) {
      const other = int(0, last)
      const card = cards[last] as T
      cards[last] = cards[other] as T
      cards[other] = card
    }
    return cards
  }
  const some = <T>(from: readonly T[], count: number): T[] => {
    const chosen = new Set(shuffled(from.map((_, index) => index)).slice(0, count))
    return from.filter((_, index) => chosen.has(index))
  }
  return { next, int, chance: (probability) => next() < probability, pick, some, shuffled }
}

/** A UUID (version 8, custom) derived from the words. */
export const generateId = (...words: readonly Word[]): string => {
  const bytes = toDigest(words)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** Splits `total` into integer parts in proportion to `weights`; the parts always add up. */
export const share = (total: number, weights: readonly number[]): number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  const exact = weights.map((weight) => (total * weight) / sum)
  const parts = exact.map(Math.floor)
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part - Math.floor(part) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const missing = total - parts.reduce((all, part) => all + part, 0)
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1
  return parts
}
