const SURROGATE = /[\ud800-\udfff]/

/** Orders texts as their bytes do (UTF-8), as PostgreSQL does with the collation "C": -1, 0 or 1. */
export const compareBytes = (a: string, b: string): number => {
  if (a === b) return 0
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
