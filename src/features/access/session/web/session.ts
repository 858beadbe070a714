import { session, type Session } from '../../../../platform/web/caller.ts'
import { clearUserStorage } from '../../../../platform/web/clear-user-storage.ts'
import { send, sendRequest } from '../../../../platform/web/client.ts'
import { isSignedOut } from '../../../../platform/web/failures.ts'
import { setDraftOwner } from '../../../../platform/web/form/drafts.ts'
import { resolveSignIn, requestSignIn, isFormOpen, isSignInRequested } from '../../../../platform/web/form/open-forms.ts'
import { type Copy, expireCopy, getCopy, noteConnection, removeCopy, SHOW_COPY_AFTER_MS } from '../../../../platform/web/offline.ts'
import { hasSignedOut, clearToken, readToken, storeToken, onTokenChangedElsewhere } from '../../../../platform/web/token.ts'
import { readCopyState, readUser, refreshSession } from '../contract.ts'

let pendingSession: Promise<Session> | undefined
/** The account this page was loaded for: the first that signed in here. */
let pageAccount: string | undefined
let hasSignInFailed = false

/** Reloads the page, because its contents belong to another account, and shows nothing until then. Without a form, no prompt blocks the reload. */
const reloadPage = (): Session => {
  setTimeout(() => location.reload())
  session.set({ state: 'loading' })
  return session.get()
}

const setSession = (next: Session): Session => {
  if (next.state === 'signed in') {
    if (pageAccount !== undefined && pageAccount !== next.user._id) return reloadPage()
    pageAccount = next.user._id
    hasSignInFailed = false
  }
  session.set(next)
  return next
}

/** Asks whether a copy of the directory may stay on this device although its session is over; `unknown` without a network. */
export const checkCopy = async (): Promise<'kept' | 'removed' | 'unknown'> => {
  expireCopy()
  const copy = getCopy()
  if (copy === null) return 'removed'
  try {
    const { mayKeep } = await sendRequest(
      readCopyState,
      { token: copy.token },
      async (response) => (await response.json()) as { mayKeep: boolean },
    )
    if (mayKeep) return 'kept'
    removeCopy()
    return 'removed'
  } catch {
    return 'unknown'
  }
}

/** Deletes the token; after a sign-out, also everything this browser stores about the user. */
const forgetUser = (): void => {
  clearToken()
  if (hasSignedOut()) {
    setDraftOwner(null)
    removeCopy()
    clearUserStorage()
  } else if (getCopy() !== null) void checkCopy()
}

/** Deletes the token and the user. */
export const clearSession = (): Session => {
  forgetUser()
  pendingSession = undefined
  return setSession({ state: 'signed out' })
}

/** The same before the page is left: it shows nothing, since the login page would begin to load and be interrupted. */
export const clearSessionAndLeave = (address: string): void => {
  forgetUser()
  pendingSession = new Promise(() => {})
  session.set({ state: 'loading' })
  location.assign(address)
}

/** Whether the user of this page signed out, so that the next user does not return to its URL. */
export const hasUserSignedOut = (): boolean => pageAccount !== undefined && hasSignedOut()

const loadStoredSession = async (): Promise<Session> => {
  const token = readToken()
  expireCopy()
  // The session has expired, and the network is not there to sign in again: the copy on this device is for its owner.
  if (!token && getCopy() !== null && (await checkCopy()) === 'unknown') {
    const copy = getCopy()
    if (copy !== null) {
      noteConnection(true)
      return setSession({ state: 'signed in', user: copy.user })
    }
  }
  if (!token) return setSession({ state: 'signed out' })
  const answered = readSession(token)
  const copy = getCopy()
  return copy?.token === token ? Promise.race([answered, showOwner(copy)]) : answered
}

const readSession = async (token: string): Promise<Session> => {
  try {
    return setSession({ state: 'signed in', user: await send(readUser) })
  } catch (error) {
    // Another sign-in or sign-out happened in the meantime, and its result is kept.
    if (readToken() !== token) return session.get()
    if (isSignedOut(error)) return clearSession()
    return session.get().state === 'signed in' ? session.get() : setSession({ state: 'no connection', error })
  }
}

/** The session of this device's copy, until a slow server has answered. */
const showOwner = async ({ user }: Copy): Promise<Session> => {
  await new Promise((resolve) => setTimeout(resolve, SHOW_COPY_AFTER_MS))
  return session.get().state === 'loading' ? setSession({ state: 'signed in', user }) : session.get()
}

/** Resolves once the session is known; queries the server the first time, and again if it could not be reached. */
export const loadSession = (): Promise<Session> => {
  const current = session.get()
  if (current.state === 'signed in' || current.state === 'signed out') return Promise.resolve(current)
  return pendingSession ?? trackPending(loadStoredSession())
}

/** Whether the last sign-in failed; the login page then shows an error. */
export const isSignInFailed = (): boolean => hasSignInFailed

/** Keeps a session that is still valid, because a link can imitate a failed sign-in. */
const handleSignInFailure = (): Promise<Session> => {
  hasSignInFailed = true
  return loadStoredSession()
}

const trackPending = (pending: Promise<Session>): Promise<Session> => {
  pendingSession = pending.finally(() => {
    pendingSession = undefined
  })
  return pendingSession
}
export const failSignIn = (): Promise<Session> => trackPending(handleSignInFailure())

const exchangeTicket = async (ticket: string): Promise<Session> => {
  try {
    const { user, token } = await send(refreshSession, { token: ticket })
    storeToken(token)
    return setSession({ state: 'signed in', user })
  } catch {
    return handleSignInFailure()
  }
}

/** Exchanges the ticket of a sign-in for the user and a session token, which is stored. */
export const signInWithTicket = (ticket: string): Promise<Session> => trackPending(exchangeTicket(ticket))

/** Another window has signed in, perhaps for a form that is waiting in this one. */
const handleSignInElsewhere = async (): Promise<void> => {
  const user = await send(readUser).catch(() => null)
  if (user !== null && setSession({ state: 'signed in', user }).state === 'signed in') resolveSignIn(true)
}

onTokenChangedElsewhere((token) => {
  if (token !== null) {
    if (isSignInRequested() || session.get().state === 'signed in') void handleSignInElsewhere()
    else if (session.get().state === 'signed out') void loadStoredSession()
  } else if (!isSignInRequested()) {
    // Signed out in another window; or the session ended, which another window noticed first.
    if (isFormOpen() && !hasSignedOut()) void requestSignIn()
    else clearSession()
  }
})

/**
 * Hides a page before it enters the back/forward cache, and shows it again only once the server has confirmed that its session is still valid and
 * belongs to the same user. Otherwise, and if the server cannot be reached, the page is reloaded.
 */
export const guardRestoredPage = (): void => {
  const { style } = document.documentElement
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) style.visibility = 'hidden'
  })
  const check = async (): Promise<void> => {
    if (await isSameUserSignedIn()) style.visibility = ''
    else reloadPage()
  }
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    style.visibility = 'hidden'
    void check()
  })
}

const isSameUserSignedIn = async (): Promise<boolean> => {
  // The login page has no account.
  if (pageAccount === undefined) return readToken() === null
  if (readToken() === null || session.get().state !== 'signed in') return false
  const user = await send(readUser).catch(() => null)
  return user?._id === pageAccount
}
