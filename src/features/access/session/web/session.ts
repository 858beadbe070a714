import { send } from '../../../../platform/web/client.ts'
import { isSignedOut } from '../../../../platform/web/failures.ts'
import { keepDraftsFor } from '../../../../platform/web/form/drafts.ts'
import { answerSignIn, askToSignIn, isFormOpen, isSignInAsked } from '../../../../platform/web/form/open-forms.ts'
import { createStore } from '../../../../platform/web/store.ts'
import { hasSignedOut, removeToken, readToken, storeToken, onTokenElsewhere } from '../../../../platform/web/token.ts'
import { wipeStorage } from '../../../../platform/web/wipe.ts'
import { readUser, refreshSession } from '../contract.ts'
import type { User } from '../contract.ts'

/** Unauthenticated and loading at first; a loaded user makes it authenticated (section 4). */
export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'signed in'; readonly user: User }
  | { readonly state: 'signed out' }
  /** There is a token, but nobody could be asked whether it is still good (D36). */
  | { readonly state: 'no connection'; readonly error: unknown }

export const session = createStore<Session>({ state: 'loading' })
let settling: Promise<Session> | undefined
/** Whose this page is: the first who was signed in here. */
let account: string | undefined
let failed = false

/** Nothing of the page is for who sits here now: it is made anew, and until then shows nothing. Without the form, nothing asks whether to stay. */
const startOver = (): Session => {
  setTimeout(() => location.reload())
  session.set({ state: 'loading' })
  return session.get()
}

const become = (next: Session): Session => {
  if (next.state === 'signed in') {
    if (account !== undefined && account !== next.user._id) return startOver()
    account = next.user._id
    failed = false
  }
  session.set(next)
  return next
}

/** Forgets token and user: after an authentication error or a sign-out; after a sign-out, all that this browser keeps of them. */
export const clearSession = (): Session => {
  removeToken()
  if (hasSignedOut()) {
    keepDraftsFor(null)
    wipeStorage()
  }
  settling = undefined
  return become({ state: 'signed out' })
}

/** Whether this very page was somebody's who has signed out, so that what it was is not where the next one goes. */
export const signedOutHere = (): boolean => account !== undefined && hasSignedOut()

const readStored = async (): Promise<Session> => {
  const token = readToken()
  if (!token) return become({ state: 'signed out' })
  try {
    return become({ state: 'signed in', user: await send(readUser) })
  } catch (error) {
    // Somebody signed in, or out, while we asked: that answer stands.
    if (readToken() !== token) return session.get()
    return isSignedOut(error) ? clearSession() : become({ state: 'no connection', error })
  }
}

/** The session once it is known; asks the server the first time, and again when it could not be reached. */
export const settledSession = (): Promise<Session> => {
  const known = session.get()
  if (known.state === 'signed in' || known.state === 'signed out') return Promise.resolve(known)
  return settling ?? settle(readStored())
}

/** Whether the last sign-in failed: the login page opens its error window. */
export const signInFailed = (): boolean => failed

/** A sign-in that failed leaves a session that is still good as it is: anybody can make a link that looks like one. */
const afterFailure = (): Promise<Session> => {
  failed = true
  return readStored()
}

/** What settles the session, until it has. */
const settle = (settled: Promise<Session>): Promise<Session> => {
  settling = settled.finally(() => {
    settling = undefined
  })
  return settling
}
export const failSignIn = (): Promise<Session> => settle(afterFailure())

const trade = async (ticket: string): Promise<Session> => {
  try {
    const { user, token } = await send(refreshSession, { token: ticket })
    storeToken(token)
    return become({ state: 'signed in', user })
  } catch {
    return afterFailure()
  }
}

/** Social login: trades the ticket for the session's token, which is stored, and has the user loaded. */
export const signInWith = (ticket: string): Promise<Session> => settle(trade(ticket))

/** Another window has signed in: over this one's form, which waits for it, or anew. */
const takeUpAgain = async (): Promise<void> => {
  const user = await send(readUser).catch(() => null)
  if (user !== null && become({ state: 'signed in', user }).state === 'signed in') answerSignIn(true)
}

onTokenElsewhere((token) => {
  if (token !== null) {
    if (isSignInAsked() || session.get().state === 'signed in') void takeUpAgain()
    else if (session.get().state === 'signed out') void readStored()
  } else if (!isSignInAsked()) {
    // Somebody signed out; or a session ended and another window was the first to hear of it.
    if (isFormOpen() && !hasSignedOut()) void askToSignIn()
    else clearSession()
  }
})

/**
 * A page that Back brings back as it was left is hidden before it is left, and shown again only once the server has said that its session is still
 * good and the same person's. Otherwise, also where the server cannot be asked, it is made anew.
 */
export const guardRestoredPage = (): void => {
  const { style } = document.documentElement
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) style.visibility = 'hidden'
  })
  const check = async (): Promise<void> => {
    if (await isStillTheirs()) style.visibility = ''
    else startOver()
  }
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    style.visibility = 'hidden'
    void check()
  })
}

const isStillTheirs = async (): Promise<boolean> => {
  // The login page is nobody's.
  if (account === undefined) return readToken() === null
  if (readToken() === null || session.get().state !== 'signed in') return false
  const user = await send(readUser).catch(() => null)
  return user?._id === account
}
