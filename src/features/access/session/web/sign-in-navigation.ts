import type { PagePath } from '../../../../contract/pages.ts'
import { getCallUrl } from '../../../../platform/web/client.ts'
import { hasUnsaved } from '../../../../platform/web/form/open-forms.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'
import { markSignedOut } from '../../../../platform/web/token.ts'
import { signOut, startSignIn } from '../contract.ts'
import { clearSessionAndLeave } from './session.ts'

const RETURN_TO_KEY = 'return-to'

/** Saves the page to return to after signing in. The home page is the default, so it need not be saved. */
export const saveReturnPath = (path: string): void => {
  if (path.startsWith('/') && path !== '/' && !path.startsWith('/login')) sessionStorage.setItem(RETURN_TO_KEY, path)
}
export const clearReturnPath = (): void => sessionStorage.removeItem(RETURN_TO_KEY)
/** The saved path, otherwise home. It stays saved until the page has opened. */
export const getReturnPath = (): string => {
  const path = sessionStorage.getItem(RETURN_TO_KEY)
  return path?.startsWith('/') && !path.startsWith('//') ? path : '/'
}

export const goToSignIn = (): void => location.assign(getCallUrl(startSignIn))

/** The last page of a window that was opened only to sign in. */
const SIGNED_IN_AGAIN_PATH: PagePath = '/signed-in-again'

/** Opens a window to sign in, so that this page keeps its state; false if the browser blocks it. */
export const openSignInWindow = (): boolean => {
  const savedPath = sessionStorage.getItem(RETURN_TO_KEY)
  // A new window starts with a copy of this one's sessionStorage.
  sessionStorage.setItem(RETURN_TO_KEY, SIGNED_IN_AGAIN_PATH)
  const opened = window.open(getCallUrl(startSignIn), 'homeroom-sign-in', 'popup,width=520,height=680')
  if (savedPath === null) sessionStorage.removeItem(RETURN_TO_KEY)
  else sessionStorage.setItem(RETURN_TO_KEY, savedPath)
  return opened !== null
}

/** Ends the session in this browser, then on the server and at the provider. Drafts are deleted, and the next sign-in starts at home. */
export const signOutWithoutConfirmation = (): void => {
  markSignedOut()
  clearSessionAndLeave(getCallUrl(signOut))
}

const isConfirmingSignOut = createStore(false)
export const useSignOutConfirmation = (): boolean => useStore(isConfirmingSignOut)
export const cancelSignOut = (): void => isConfirmingSignOut.set(false)

/** Signs out. Asks first if a form has unsaved changes, because signing out deletes them. */
export const goToSignOut = (): void => {
  if (hasUnsaved()) isConfirmingSignOut.set(true)
  else signOutWithoutConfirmation()
}
