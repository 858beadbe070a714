import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { id } from '../../../platform/contract/fields.ts'

/** Who is signed in (section 3, User). `azureID` is the work address. */
export const User = z.strictObject({
  _id: id,
  name: z.string(),
  azureID: z.string(),
  accessLevel: z.int(),
})
export type User = z.infer<typeof User>

export const startSignIn = call({
  method: 'GET',
  path: '/auth/azure',
  needs: 'no session',
  does: 'Sends the browser to the sign-in provider.',
  answer: 'redirect',
})

export const finishSignIn = call({
  method: 'GET',
  path: '/auth/azure/callback',
  needs: 'no session',
  does: 'Where the sign-in provider sends the browser back. Redirects to /login?auth={ticket}, or =fail.',
  answer: 'redirect',
})

export const readUser = call({
  method: 'GET',
  path: '/auth',
  needs: 'browse the directory',
  does: 'The person who is signed in.',
  answer: User,
})

export const refreshSession = call({
  method: 'GET',
  path: '/auth/refresh',
  needs: 'no session',
  does: 'Exchanges the ticket of a sign-in for a session token, or renews the session. A 401 if neither is valid.',
  answer: z.strictObject({ user: User, token: z.string() }),
  inPerson: true,
})

export const signOut = call({
  method: 'GET',
  path: '/auth/logout',
  needs: 'no session',
  does: 'Ends the session and sends the browser to the provider’s logout, which returns to /login.',
  answer: 'redirect',
  inPerson: true,
})

/** Query parameter of `/login` (section 2), and the value that says a sign-in failed. */
export const AUTH_PARAMETER = 'auth'
export const AUTH_FAILED = 'fail'
