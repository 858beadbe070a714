/** The value that this share of the values does not exceed: 0.5 for the median. */
export const getPercentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

export const getMedian = (values: readonly number[]): number => getPercentile(values, 0.5)
