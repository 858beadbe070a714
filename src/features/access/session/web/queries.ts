import { can } from '../../../../contract/capabilities.ts'
import type { Capability } from '../../../../contract/capabilities.ts'
import { send } from '../../../../platform/web/client.ts'
import { useStore } from '../../../../platform/web/store.ts'
import { readUser } from '../contract.ts'
import type { User } from '../contract.ts'
import { session } from './session.ts'
import type { Session } from './session.ts'

export const useSession = (): Session => useStore(session)

/** The signed-in user; null while loading and on the login page. */
export const useUser = (): User | null => {
  const current = useSession()
  return current.state === 'signed in' ? current.user : null
}

/** Reloads the user, whose level may have changed; the guards of the pages depend on it. */
export const reloadUser = async (): Promise<void> => session.set({ state: 'signed in', user: await send(readUser) })

/** Whether the user's level includes a capability. This only hides controls; the server checks every call. */
export const useCan = (capability: Capability): boolean => {
  const user = useUser()
  return user !== null && can(user.accessLevel, capability)
}

export { signOutWithoutConfirmation } from './sign-in-navigation.ts'
