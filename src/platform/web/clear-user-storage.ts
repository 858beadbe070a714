/** What says nothing of anybody: how lists, maps and colors are shown on this device, and that somebody signed out. */
const DEVICE_KEYS = /^(list\.|map$|mantine-color-scheme-value$|homeroom\.signed-out$)/

/** Removes what this browser keeps of whoever signs out: unsaved typing, the token, the pages that were visited. What is not known to be of the device goes. */
export const clearUserStorage = (): void => {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (!DEVICE_KEYS.test(key)) storage.removeItem(key)
}
