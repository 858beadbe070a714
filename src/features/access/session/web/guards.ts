import { redirect } from '@tanstack/react-router'

import { can } from '../../../../platform/contract/capabilities.ts'
import type { Capability } from '../../../../platform/contract/capabilities.ts'
import { forgetPlace, rememberedPlace, rememberPlace } from './places.ts'
import { settledSession, signedOutHere } from './session.ts'

interface Arriving {
  readonly location: { readonly href: string }
}

/** The authenticated-only guard (section 2): others go to the login page and come back after signing in (D36). */
export const onlySignedIn = async ({ location }: Arriving): Promise<void> => {
  const session = await settledSession()
  if (session.state === 'signed in') forgetPlace()
  if (session.state !== 'signed out') return
  if (!signedOutHere()) rememberPlace(location.href)
  throw redirect({ to: '/login', replace: true })
}

/** The admin guard (section 2, D12, D37): those who may not go home. */
export const onlyWhoMay = (capability: Capability) => async (): Promise<void> => {
  const session = await settledSession()
  if (session.state === 'signed in' && !can(session.user.accessLevel, capability)) throw redirect({ to: '/', replace: true })
}

/** Who is signed in already does not stay on the login page. */
export const onlySignedOut = async (): Promise<void> => {
  const session = await settledSession()
  if (session.state !== 'signed in') return
  const { pathname, searchParams, hash } = new URL(rememberedPlace(), location.origin)
  throw redirect({ to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1), replace: true })
}
