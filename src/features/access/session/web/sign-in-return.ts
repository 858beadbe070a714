import { AUTH_FAILED, AUTH_PARAMETER } from '../contract.ts'
import { failSignIn, signInWithTicket } from './session.ts'

/**
 * Handles the ticket in the URL after a sign-in (`/login?auth=…`) and removes it from the address bar and the history immediately, so that it cannot
 * be copied or bookmarked.
 */
export const handleSignInReturn = (): void => {
  const url = new URL(location.href)
  const value = url.searchParams.get(AUTH_PARAMETER)
  if (url.pathname !== '/login' || value === null) return
  url.searchParams.delete(AUTH_PARAMETER)
  history.replaceState(history.state, '', `${url.pathname}${url.search}${url.hash}`)
  if (value.includes(AUTH_FAILED)) void failSignIn()
  else void signInWithTicket(value)
}
