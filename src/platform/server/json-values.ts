/** More values than any body of ours has; in memory a value is many times its two bytes of JSON. */
const MAX_VALUES = 20_000

/** Whether JSON has more values than any of ours: counted by what is between them, outside of texts. */
export const hasTooManyValues = (json: string, most = MAX_VALUES): boolean => {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    // , : [ {
    if (sign === 44 || sign === 58 || sign === 91 || sign === 123) {
      if (++values > most) return true
    } else if (sign === 34) {
      at = findTextEnd(json, at)
      if (at === -1) return false
    }
  }
  return false
}

/** Where the text that begins here ends: at the next quote that no odd number of backslashes escapes. */
const findTextEnd = (json: string, from: number): number => {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let isEscaped = false
    for (let before = at - 1; json.charCodeAt(before) === 92; before--) isEscaped = !isEscaped
    if (!isEscaped) return at
  }
  return -1
}
