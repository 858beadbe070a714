import { can } from '../../../../platform/contract/capabilities.ts'
import type { Capability } from '../../../../platform/contract/capabilities.ts'
import { send } from '../../../../platform/web/client.ts'
import { useStore } from '../../../../platform/web/store.ts'
import { readUser } from '../contract.ts'
import type { User } from '../contract.ts'
import { signOutNow } from './places.ts'
import { session } from './session.ts'
import type { Session } from './session.ts'

export const useSession = (): Session => useStore(session)

/** Who is signed in; null while that is not known, and on the login page. */
export const useUser = (): User | null => {
  const current = useSession()
  return current.state === 'signed in' ? current.user : null
}

/** Asks again who is signed in: their level may be another now, and the guards go by it. */
export const readUserAgain = async (): Promise<void> => session.set({ state: 'signed in', user: await send(readUser) })

/** Whether the signed-in user's level allows it (section 6). Hiding a control is a courtesy; the server refuses either way (D11). */
export const useMay = (capability: Capability): boolean => {
  const user = useUser()
  return user !== null && can(user.accessLevel, capability)
}

/** All sessions have ended at the server, this one included: this browser goes the way of any sign-out, by the provider's to the login page. */
export const leaveForLogin = (): void => signOutNow()
