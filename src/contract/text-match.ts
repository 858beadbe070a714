/** Lower case, accents dropped: how typed text and stored text are compared. */
export const normalizeText = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** True when one of the fields contains what was typed; what was typed is taken letter for letter. */
export const matchesText = (typed: string, fields: readonly (string | null | undefined)[]): boolean => {
  const wanted = normalizeText(typed.trim())
  return wanted === '' || fields.some((field) => field !== null && field !== undefined && normalizeText(field).includes(wanted))
}
