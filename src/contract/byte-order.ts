const SURROGATE = /[\ud800-\udfff]/

/** Compares texts by their UTF-8 bytes, as PostgreSQL does with the collation "C": -1, 0 or 1. */
export const compareBytes = (a: string, b: string): number => {
  if (a === b) return 0
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1
  // UTF-8 bytes sort by code point, which surrogate pairs do not.
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  return at < 0 || (left[at]?.codePointAt(0) ?? 0) < (right[at]?.codePointAt(0) ?? -1) ? -1 : 1
}
