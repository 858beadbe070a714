const KEY = 'token'
const SIGNED_OUT = 'homeroom.signed-out'

/** The session token, in local storage. */
export const readToken = (): string | null => localStorage.getItem(KEY)
export const storeToken = (token: string): void => {
  localStorage.removeItem(SIGNED_OUT)
  localStorage.setItem(KEY, token)
}
export const clearToken = (): void => localStorage.removeItem(KEY)
/** Tells other windows that the token was removed by a sign-out, not by an expired session. */
export const markSignedOut = (): void => localStorage.setItem(SIGNED_OUT, '1')
export const hasSignedOut = (): boolean => localStorage.getItem(SIGNED_OUT) !== null

/** Listens for a sign-in or sign-out in another window of the same browser. */
export const onTokenChangedElsewhere = (listener: (token: string | null) => void): void =>
  window.addEventListener('storage', (event) => {
    // The server's `Clear-Site-Data` on sign-out clears all storage at once.
    if (event.key === null) markSignedOut()
    if (event.key === KEY || event.key === null) listener(readToken())
  })
