import { type Mark, sizeOf } from './marks.ts'

/** A box on the screen. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const boxAt = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
})

/** How wide words of 12 px are, near enough to keep them apart. */
const LETTER = 6.6
export const CAPTION_HEIGHT = 16
export const LABEL_HEIGHT = 26
export const labelWidth = (words: string): number => words.length * 7.2 + 20

export const boxOf = (mark: Mark): Box => boxAt(mark.x, mark.y, sizeOf(mark), sizeOf(mark))

/** The marks below which their city can be written without touching anything else, the largest first. */
export const captioned = (marks: readonly Mark[], taken: readonly Box[], width: number, height: number): ReadonlySet<string> => {
  const boxes = [...taken, ...marks.map(boxOf)]
  const written = new Set<string>()
  for (const mark of marks.toSorted((a, b) => b.pins.length - a.pins.length)) {
    if (!mark.caption) continue
    const below = mark.y + sizeOf(mark) / 2 + 1
    const box = boxAt(mark.x, below + CAPTION_HEIGHT / 2, mark.caption.length * LETTER, CAPTION_HEIGHT - 1)
    const inside = box.left >= 0 && box.right <= width && box.bottom <= height
    if (!inside || boxes.some((other) => meet(other, box))) continue
    boxes.push(box)
    written.add(mark.key)
  }
  return written
}

/**
 * Where the name of a state goes: beside its shape, where it covers neither a mark nor another name; else upon it. The map is
 * `width` by `height`.
 */
export const labelPlace = (shape: Box, words: string, taken: readonly Box[], width: number, height: number): Box => {
  const [wide, high] = [labelWidth(words), LABEL_HEIGHT]
  const [x, y] = [(shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2]
  const [right, left] = [shape.right + wide / 2 + 2, shape.left - wide / 2 - 2]
  const places: readonly (readonly [number, number])[] = [
    [x, y],
    [right, y],
    [x, shape.bottom + high / 2 + 2],
    [x, shape.top - high / 2 - 2],
    [left, y],
    ...[y - 24, y + 24, y - 48, y + 48].flatMap((at) => [[right, at] as const, [left, at] as const]),
  ]
  for (const [at, down] of places) {
    const box = boxAt(at, down, wide, high)
    const inside = box.left >= 2 && box.right <= width - 2 && box.top >= 2 && box.bottom <= height - 2
    if (inside && !taken.some((other) => meet(other, box))) return box
  }
  return boxAt(Math.min(Math.max(x, wide / 2 + 2), width - wide / 2 - 2), y, wide, high)
}
