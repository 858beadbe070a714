import { AUTH_FAILED, AUTH_PARAMETER } from '../contract.ts'
import { failSignIn, signInWith } from './session.ts'

/**
 * Takes up what the sign-in left in the address (`/login?auth=…`, section 2) before anything else reads it, and takes it out of
 * the address bar and the history at once (D8).
 */
export const takeUpSignIn = (): void => {
  const here = new URL(location.href)
  const value = here.searchParams.get(AUTH_PARAMETER)
  if (here.pathname !== '/login' || value === null) return
  here.searchParams.delete(AUTH_PARAMETER)
  history.replaceState(history.state, '', `${here.pathname}${here.search}${here.hash}`)
  if (value.includes(AUTH_FAILED)) void failSignIn()
  else void signInWith(value)
}
