/** The width of a letter of the charts’ font in pixels, on average. */
const LETTER_WIDTH = 6.5
export const LINE_HEIGHT = 16

/** About how wide a text is, in pixels. */
export const estimateWidth = (text: string): number => Math.ceil(text.length * LETTER_WIDTH)

/** The text, cut off where it would be wider. */
export const fitText = (text: string, width: number): string => {
  const letters = Math.max(Math.floor(width / LETTER_WIDTH), 1)
  return text.length <= letters ? text : `${text.slice(0, letters - 1).trimEnd()}…`
}

/** Moves the places of labels apart, so that they are `gap` from each other and between the two ends; their order stays. */
export const spreadLabels = (wanted: readonly number[], gap: number, from: number, to: number): number[] => {
  const order = wanted.map((_, at) => at).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let free = from
  for (const at of order) {
    placed[at] = Math.max(placed[at] ?? 0, free)
    free = placed[at] + gap
  }
  let end = to
  for (const at of order.toReversed()) {
    placed[at] = Math.min(placed[at] ?? 0, end)
    end = placed[at] - gap
  }
  return placed
}

/** Every second, third … of the values, so that at most `most` are left; the last one stays. */
export const thinOut = <T>(values: readonly T[], most: number): T[] => {
  const step = Math.ceil(values.length / Math.max(most, 1))
  return values.filter((_, at) => (values.length - 1 - at) % step === 0)
}

/** There are six colors; the series after them share the last one. */
const COLOR_COUNT = 6
export const toColor = (at: number): number => Math.min(at, COLOR_COUNT)
