/** Keys without personal data: display settings of lists, maps and colors on this device, and the sign-out marker. */
const DEVICE_KEYS = /^(list\.|map$|mantine-color-scheme-value$|homeroom\.signed-out$)/

/**
 * Removes what this browser stores about the person who signs out: unsaved changes, the token, visited pages. Removes every key that is not in
 * `DEVICE_KEYS`.
 */
export const clearUserStorage = (): void => {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (!DEVICE_KEYS.test(key)) storage.removeItem(key)
}
