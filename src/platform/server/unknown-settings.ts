/** Prefixes that only our settings use. */
const KNOWN_SETTINGS = /^(HOMEROOM|OIDC|SMTP|KEEP|METRICS|BACKUP|SUPER_ADMIN)_/i

/** The number of letters to insert, delete, replace or swap with a neighbor to turn one name into another. */
const distance = (one: string, other: string): number => {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_none, at) => at)]
  for (let at = 1; at <= one.length; at++) {
    const row = [at]
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1]
      let least = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (isSame ? 0 : 1))
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        least = Math.min(least, (before[to - 2] ?? 0) + 1)
      row.push(least)
    }
    ;[before, last] = [last, row]
  }
  return last[other.length] ?? 0
}

/** Short names are too similar to each other and to system variables. */
const getMaxDistance = (name: string): number => (name.length < 6 ? 0 : Math.floor(name.length / 6) + (name.length > 9 ? 1 : 0))

/** A line for each unknown variable whose name resembles one of ours, with the closest one. Values are not read. */
export const findUnknownSettings = (environment: Readonly<Record<string, unknown>>, known: readonly string[]): string[] =>
  Object.keys(environment).flatMap((name) => {
    if (known.includes(name)) return []
    const near = known.map((one) => ({ one, far: distance(name.toUpperCase(), one) })).toSorted((a, b) => a.far - b.far)[0]
    if (near === undefined || (near.far > getMaxDistance(near.one) && !KNOWN_SETTINGS.test(name))) return []
    return [`${name} is not a setting of Homeroom and has no effect; did you mean ${near.one}?`]
  })
