/** Lower case without accents: typed and stored text are compared in this form. */
export const normalizeText = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether one of the fields contains the typed text, taken literally. */
export const matchesText = (typed: string, fields: readonly (string | null | undefined)[]): boolean => {
  const wanted = normalizeText(typed.trim())
  return wanted === '' || fields.some((field) => field !== null && field !== undefined && normalizeText(field).includes(wanted))
}

/** Whether two words differ by one letter that is wrong, missing or extra, or by two adjacent letters swapped. */
export const isOneTypoApart = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  return a.slice(at + 1) === b.slice(at + 1) || (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2))
}
