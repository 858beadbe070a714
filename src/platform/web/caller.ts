import { use } from 'react'

import { can, type Capability } from '../../contract/capabilities.ts'
import { isOwnAddress, type User } from '../../contract/user.ts'
import { ArchivedPage, isPossibleArchived } from './archived.ts'
import { isPossible } from './past-day.ts'
import { createStore, useStore } from './store.ts'

export type Session =
  | { readonly state: 'loading' }
  | { readonly state: 'signed in'; readonly user: User }
  | { readonly state: 'signed out' }
  /** There is a token, but the server could not be reached to check it. */
  | { readonly state: 'no connection'; readonly error: unknown }

/** Who is signed in; sign-in and sign-out set it. */
export const session = createStore<Session>({ state: 'loading' })
export const useSession = (): Session => useStore(session)

/** The signed-in user; null while loading and on the login page. */
export const useUser = (): User | null => {
  const current = useSession()
  return current.state === 'signed in' ? current.user : null
}

/** Whether an email address is the user's own. */
export const useIsOwnAddress = (email: string | null): boolean => {
  const user = useUser()
  return user !== null && isOwnAddress(user, email)
}

/** Whether the user's level includes a capability, whatever the page shows. */
export const useHasLevelFor = (capability: Capability): boolean => {
  const user = useUser()
  return user !== null && can(user.accessLevel, capability)
}

/** Whether the user can do this here: on a past day nothing can be changed, and an archived record can only be restored. This only hides controls; the server checks every call. */
export const useCan = (capability: Capability): boolean => {
  const isRefused = use(ArchivedPage) && !isPossibleArchived(capability)
  return useHasLevelFor(capability) && isPossible(capability) && !isRefused
}
