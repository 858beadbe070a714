import { send } from '../../../platform/web/client.ts'
import { isSignedOut } from '../../../platform/web/failures.ts'
import { answerSignIn, askToSignIn, isFormOpen, isSignInAsked } from '../../../platform/web/form/open-forms.ts'
import { createStore } from '../../../platform/web/store.ts'
import { hasSignedOut, removeToken, readToken, storeToken, onTokenElsewhere } from '../../../platform/web/token.ts'
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

const become = (next: Session): Session => {
  session.set(next)
  return next
}

/** Forgets token and user: after a failed sign-in, an authentication error or a sign-out (section 4). */
export const clearSession = (): Session => {
  removeToken()
  settling = undefined
  return become({ state: 'signed out' })
}

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
  settling ??= readStored().finally(() => {
    settling = undefined
  })
  return settling
}

let failed = false
/** Whether the last sign-in failed: the login page opens its error window. */
export const signInFailed = (): boolean => failed
export const failSignIn = (): Session => {
  failed = true
  return clearSession()
}

const trade = async (ticket: string): Promise<Session> => {
  storeToken(ticket)
  try {
    const { user, token } = await send(refreshSession)
    storeToken(token)
    return become({ state: 'signed in', user })
  } catch {
    return failSignIn()
  }
}

/** Social login (section 2, D8): stores the ticket as the token, trades it for the session's own, and has the user loaded. */
export const signInWith = (ticket: string): Promise<Session> => {
  settling = trade(ticket)
  return settling
}

/** Another window has signed in while this one's form waits for it (D36). Until that one is done, its ticket stands where the token will. */
const takeUpAgain = async (): Promise<void> => {
  const before = session.get()
  const user = await send(readUser).catch(() => null)
  if (user === null) return
  // Somebody else sits here now: nothing of the page is theirs. What was typed stays kept for whoever typed it.
  if (before.state === 'signed in' && before.user.azureID !== user.azureID) {
    // Without the form, nothing asks whether to stay.
    become({ state: 'loading' })
    setTimeout(() => location.reload())
    return
  }
  become({ state: 'signed in', user })
  answerSignIn(true)
}

onTokenElsewhere((token) => {
  if (isSignInAsked()) {
    if (token !== null) void takeUpAgain()
  } else if (token === null) {
    // Somebody signed out; or a session ended and another window was the first to hear of it.
    if (isFormOpen() && !hasSignedOut()) void askToSignIn()
    else clearSession()
  } else if (session.get().state === 'signed out') void readStored()
})
