import { isSignedOut } from '../failures.ts'
import { createStore, useStore } from '../store.ts'
import { readToken } from '../token.ts'

let open = 0

/** A form is there; gives the way to say that it no longer is. */
export const registerOpenForm = (): (() => void) => {
  open += 1
  return () => {
    open -= 1
  }
}
/** Whether someone may be typing: a dead session then opens a window over the form and does not lead away. */
export const isFormOpen = (): boolean => open > 0

const unsaved = new Set<string>()
/** Whether a form has typing that is not saved; gives the way to say that it no longer has. */
export const registerUnsaved = (form: string, isUnsaved: boolean): (() => void) => {
  if (isUnsaved) unsaved.add(form)
  return () => {
    unsaved.delete(form)
  }
}
export const hasUnsaved = (): boolean => unsaved.size > 0

const signInRequest = createStore<{ readonly answer: (signedIn: boolean) => void } | null>(null)
let pendingSignIn: Promise<boolean> | undefined

/** Asks the person at a form to sign in again, over the form; false where they leave instead. */
export const requestSignIn = (): Promise<boolean> => {
  pendingSignIn ??= new Promise<boolean>((resolve) => {
    signInRequest.set({
      answer: (signedIn) => {
        pendingSignIn = undefined
        signInRequest.set(null)
        resolve(signedIn)
      },
    })
  })
  return pendingSignIn
}
export const useIsSignInRequested = (): boolean => useStore(signInRequest) !== null
export const isSignInRequested = (): boolean => signInRequest.get() !== null
/** Someone has signed in, in whichever window. */
export const resolveSignIn = (signedIn: boolean): void => signInRequest.get()?.answer(signedIn)

/** Sends something from a form; where the session has ended in the meantime, asks to sign in again and sends it once more. */
export const withSignIn = async <T>(send: () => Promise<T>): Promise<T> => {
  const token = readToken()
  try {
    return await send()
  } catch (error) {
    if (!isSignedOut(error)) throw error
    // Another window may have signed in since.
    const isNew = readToken() !== null && readToken() !== token
    if (!isNew && !(await requestSignIn())) throw error
    return send()
  }
}
