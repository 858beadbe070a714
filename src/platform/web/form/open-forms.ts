import { isSignedOut } from '../failures.ts'
import { createStore, useStore } from '../store.ts'
import { readToken } from '../token.ts'

let open = 0

/** Registers an open form; returns a function that unregisters it. */
export const registerOpenForm = (): (() => void) => {
  open += 1
  return () => {
    open -= 1
  }
}
/** Whether someone may be typing: an expired session then opens a sign-in dialog over the form instead of navigating away. */
export const isFormOpen = (): boolean => open > 0

const unsaved = new Set<string>()
/** Registers a form with unsaved changes; returns a function that unregisters it. */
export const registerUnsaved = (form: string, isUnsaved: boolean): (() => void) => {
  if (isUnsaved) unsaved.add(form)
  return () => {
    unsaved.delete(form)
  }
}
export const hasUnsaved = (): boolean => unsaved.size > 0

const signInRequest = createStore<{ readonly answer: (signedIn: boolean) => void } | null>(null)
let pendingSignIn: Promise<boolean> | undefined

/** Prompts the user to sign in again, in a dialog over the form; false if they leave instead. */
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
/** Called when someone has signed in, in any window. */
export const resolveSignIn = (signedIn: boolean): void => signInRequest.get()?.answer(signedIn)

/** Sends something from a form; as long as the session has expired, prompts the user to sign in again and resends it. */
export const withSignIn = async <T>(send: () => Promise<T>): Promise<T> => {
  for (;;) {
    const token = readToken()
    try {
      return await send()
    } catch (error) {
      if (!isSignedOut(error)) throw error
      // Another window may have signed in in the meantime, or renewed the session that it has just begun.
      const isNew = readToken() !== null && readToken() !== token
      if (!isNew && !(await requestSignIn())) throw error
    }
  }
}
