import { addressOf } from '../../../platform/web/client.ts'
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

/** Ends the session here, then at the server and the provider (D9); the next sign-in starts at home. */
export const goToSignOut = (): void => {
  forgetPlace()
  clearSession()
  location.assign(addressOf(signOut))
}
