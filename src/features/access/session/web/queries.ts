import { session } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { readUser } from '../contract.ts'

/** Reloads the user, whose level may have changed; the guards of the pages depend on it. */
export const reloadUser = async (): Promise<void> => session.set({ state: 'signed in', user: await send(readUser) })

export { signOutWithoutConfirmation } from './sign-in-navigation.ts'
