/** More values than any valid body has; in memory a value takes many times its two bytes of JSON. */
const MAX_VALUES = 20_000

/** Whether JSON has more values than any valid body: counts the separators outside strings. */
export const hasTooManyValues = (json: string, most = MAX_VALUES): boolean => {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    // , : [ {
    if (character === 44 || character === 58 || character === 91 || character === 123) {
      if (++values > most) return true
    } else if (character === 34) {
      at = findTextEnd(json, at)
      if (at === -1) return false
    }
  }
  return false
}

/** The index at which a string ends: at the next quote that is not escaped by an odd number of backslashes. */
const findTextEnd = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let isEscaped = false
    for (let before = at - 1; json.charCodeAt(before) === 92; before--) isEscaped = !isEscaped
    if (!isEscaped) return at
  }
  return -1
}
