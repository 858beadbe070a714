/** Keys without personal data: how lists, maps and colors are shown on this device, and that someone signed out. */
const DEVICE_KEYS = /^(list\.|map$|mantine-color-scheme-value$|homeroom\.signed-out$)/

/** Removes what this browser stores about the person who signs out: unsaved changes, the token, visited pages. Every key that is not a `DEVICE_KEYS` goes. */
export const clearUserStorage = (): void => {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (!DEVICE_KEYS.test(key)) storage.removeItem(key)
}
