import { type Mark, getMarkSize } from './marks.ts'

/** A box on the screen, in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const toBox = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
})

/** The approximate width of a letter at 12 px. */
const LETTER_WIDTH = 6.6
export const CAPTION_HEIGHT = 16
export const LABEL_HEIGHT = 26
export const getLabelWidth = (words: string): number => words.length * 7.2 + 20

export const getMarkBox = (mark: Mark): Box => toBox(mark.x, mark.y, getMarkSize(mark), getMarkSize(mark))

/** The keys of marks whose caption overlaps nothing else; larger marks take precedence. */
export const findCaptionedMarks = (marks: readonly Mark[], taken: readonly Box[], width: number, height: number): ReadonlySet<string> => {
  const boxes = [...taken, ...marks.map(getMarkBox)]
  const toAreaKey = new Set<string>()
  for (const mark of marks.toSorted((a, b) => b.pins.length - a.pins.length)) {
    if (!mark.caption) continue
    const below = mark.y + getMarkSize(mark) / 2 + 1
    const box = toBox(mark.x, below + CAPTION_HEIGHT / 2, mark.caption.length * LETTER_WIDTH, CAPTION_HEIGHT - 1)
    const inside = box.left >= 0 && box.right <= width && box.bottom <= height
    if (!inside || boxes.some((other) => overlap(other, box))) continue
    boxes.push(box)
    toAreaKey.add(mark.key)
  }
  return toAreaKey
}

/**
 * The position of a state's name: next to its shape if it covers neither a mark nor another name there, otherwise on it. The map is `width` by
 * `height`.
 */
export const placeLabel = (shape: Box, words: string, taken: readonly Box[], width: number, height: number): Box => {
  const [wide, high] = [getLabelWidth(words), LABEL_HEIGHT]
  const [x, y] = [(shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2]
  const [right, left] = [shape.right + wide / 2 + 2, shape.left - wide / 2 - 2]
  const offsets: readonly (readonly [number, number])[] = [
    [x, y],
    [right, y],
    [x, shape.bottom + high / 2 + 2],
    [x, shape.top - high / 2 - 2],
    [left, y],
    ...[y - 24, y + 24, y - 48, y + 48].flatMap((at) => [[right, at] as const, [left, at] as const]),
  ]
  for (const [at, down] of offsets) {
    const box = toBox(at, down, wide, high)
    const inside = box.left >= 2 && box.right <= width - 2 && box.top >= 2 && box.bottom <= height - 2
    if (inside && !taken.some((other) => overlap(other, box))) return box
  }
  return toBox(Math.min(Math.max(x, wide / 2 + 2), width - wide / 2 - 2), y, wide, high)
}
