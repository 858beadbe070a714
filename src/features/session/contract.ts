import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { id } from '../../platform/contract/fields.ts'

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
  does: 'Sends the browser to the work-account provider (D7).',
  answer: 'redirect',
})

export const finishSignIn = call({
  method: 'GET',
  path: '/auth/azure/callback',
  needs: 'no session',
  does: 'Where the provider sends the browser back to; ends at /login?auth={ticket}, or =fail (D7, D8).',
  answer: 'redirect',
})

export const readUser = call({
  method: 'GET',
  path: '/auth',
  needs: 'browse the directory',
  does: 'Who is signed in.',
  answer: User,
})

export const refreshSession = call({
  method: 'GET',
  path: '/auth/refresh',
  needs: 'no session',
  does: 'Trades the ticket of a sign-in for a session token, or renews the session; 401 where neither is good (D8).',
  answer: z.strictObject({ user: User, token: z.string() }),
  inPerson: true,
})

export const signOut = call({
  method: 'GET',
  path: '/auth/logout',
  needs: 'no session',
  does: 'Ends the session here and sends the browser to the provider’s logout, which returns to /login (D9).',
  answer: 'redirect',
  inPerson: true,
})

/** Query parameter of `/login` (section 2), and the value that says a sign-in failed. */
export const AUTH_PARAMETER = 'auth'
export const AUTH_FAILED = 'fail'
