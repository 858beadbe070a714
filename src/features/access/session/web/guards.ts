import { redirect } from '@tanstack/react-router'

import { can } from '../../../../contract/capabilities.ts'
import type { Capability } from '../../../../contract/capabilities.ts'
import { loadSession, hasUserSignedOut } from './session.ts'
import { clearReturnPath, getReturnPath, saveReturnPath } from './sign-in-navigation.ts'

interface GuardContext {
  readonly location: { readonly href: string }
}

/** Redirects to the login page, and back after signing in. */
export const requireSignedIn = async ({ location }: GuardContext): Promise<void> => {
  const session = await loadSession()
  if (session.state === 'signed in') clearReturnPath()
  if (session.state !== 'signed out') return
  if (!hasUserSignedOut()) saveReturnPath(location.href)
  throw redirect({ to: '/login', replace: true })
}

/** Redirects users without the capability to the home page. */
export const requireCapability = (capability: Capability) => async (): Promise<void> => {
  const session = await loadSession()
  if (session.state === 'signed in' && !can(session.user.accessLevel, capability)) throw redirect({ to: '/', replace: true })
}

/** Redirects signed-in users away from the login page. */
export const requireSignedOut = async (): Promise<void> => {
  const session = await loadSession()
  if (session.state !== 'signed in') return
  const { pathname, searchParams, hash } = new URL(getReturnPath(), location.origin)
  throw redirect({ to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1), replace: true })
}
