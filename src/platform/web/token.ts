const KEY = 'token'
const SIGNED_OUT = 'homeroom.signed-out'

/** The session token as the specification keeps it: in local storage. */
export const readToken = (): string | null => localStorage.getItem(KEY)
export const storeToken = (token: string): void => {
  localStorage.removeItem(SIGNED_OUT)
  localStorage.setItem(KEY, token)
}
export const removeToken = (): void => localStorage.removeItem(KEY)
/** For the other windows: that the token goes because someone signs out, not because a session ended. */
export const markSignedOut = (): void => localStorage.setItem(SIGNED_OUT, '1')
export const hasSignedOut = (): boolean => localStorage.getItem(SIGNED_OUT) !== null

/** Tells of a sign-in or sign-out in another window of the same browser. */
export const onTokenElsewhere = (listener: (token: string | null) => void): void =>
  window.addEventListener('storage', (event) => {
    // All of it at once is cleared by a sign-out that no page of ours began (`Clear-Site-Data`).
    if (event.key === null) markSignedOut()
    if (event.key === KEY || event.key === null) listener(readToken())
  })
