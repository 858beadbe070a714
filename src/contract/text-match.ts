/** Lower case without accents: typed and stored text are compared in this form. */
export const normalizeText = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether one of the fields contains the typed text, taken literally. */
export const matchesText = (typed: string, fields: readonly (string | null | undefined)[]): boolean => {
  const wanted = normalizeText(typed.trim())
  return wanted === '' || fields.some((field) => field !== null && field !== undefined && normalizeText(field).includes(wanted))
}
