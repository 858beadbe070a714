import { addressOf } from '../../../../platform/web/client.ts'
import { hasUnsaved } from '../../../../platform/web/form/open-forms.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'
import { markSignedOut } from '../../../../platform/web/token.ts'
import { signOut, startSignIn } from '../contract.ts'
import { clearSession } from './session.ts'

const KEY = 'return-to'

/** Remembers where to come back to after signing in (D36); home and the login page need no remembering. */
export const rememberPlace = (place: string): void => {
  if (place.startsWith('/') && place !== '/' && !place.startsWith('/login')) sessionStorage.setItem(KEY, place)
}
export const forgetPlace = (): void => sessionStorage.removeItem(KEY)
/** The remembered place, else home. It stays remembered until somebody has got there. */
export const rememberedPlace = (): string => {
  const place = sessionStorage.getItem(KEY)
  return place?.startsWith('/') && !place.startsWith('//') ? place : '/'
}

/** Leaves for the work-account provider. */
export const goToSignIn = (): void => location.assign(addressOf(startSignIn))

/** The page at which a window that is only there to sign in ends. */
export const SIGNED_IN = '/signed-in-again'

/** Signs in in a window beside this one, so that the page stays as it is; false where the browser opens none. */
export const openSignInWindow = (): boolean => {
  const before = sessionStorage.getItem(KEY)
  // A window that is opened begins with a copy of what this one keeps.
  sessionStorage.setItem(KEY, SIGNED_IN)
  const opened = window.open(addressOf(startSignIn), 'homeroom-sign-in', 'popup,width=520,height=680')
  if (before === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, before)
  return opened !== null
}

/** Ends the session here, then at the server and the provider (D9); unsaved typing is wiped, and the next sign-in starts at home. */
export const signOutNow = (): void => {
  markSignedOut()
  clearSession()
  location.assign(addressOf(signOut))
}

const asksToSignOut = createStore(false)
export const useSignOutAsked = (): boolean => useStore(asksToSignOut)
export const staySignedIn = (): void => asksToSignOut.set(false)

/** Signs out; where a form has unsaved typing, which a sign-out wipes, asks first (D15). */
export const goToSignOut = (): void => {
  if (hasUnsaved()) asksToSignOut.set(true)
  else signOutNow()
}
