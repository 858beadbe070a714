import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { User } from '../../../contract/user.ts'

export const startSignIn = call('GET', '/auth/azure', {
  capability: 'no session',
  rateLimit: { perMinute: 1200 },
  summary: 'Sends the browser to the sign-in provider.',
  response: 'redirect',
})

export const finishSignIn = call('GET', '/auth/azure/callback', {
  capability: 'no session',
  rateLimit: { perMinute: 1200 },
  summary: 'Where the sign-in provider sends the browser back. Redirects to /login?auth={ticket}, or =fail.',
  response: 'redirect',
})

export const readUser = call('GET', '/auth', {
  capability: 'browse the directory',
  summary: 'The person who is signed in.',
  response: User,
})

export const startSignInTest = call('GET', '/auth/azure/test', {
  capability: 'set up the program',
  rateLimit: { perMinute: 30 },
  summary:
    'Sends the browser to the sign-in provider to test it. The test ends in a result that `GET /api/setup` has for ten minutes, and in no session.',
  response: 'redirect',
  allowCookieOnly: true,
  sessionOnly: true,
})
/** Where a test leads. */
export const SIGN_IN_TEST_PAGE = '/setup?step=sign_in'

export const refreshSession = call('GET', '/auth/refresh', {
  capability: 'no session',
  rateLimit: { perMinute: 1200 },
  summary: 'Exchanges the ticket of a sign-in for a session token, or renews the session. A 401 if neither is valid.',
  response: z.strictObject({ user: User, token: z.string() }),
  sessionOnly: true,
})

export const signOut = call('GET', '/auth/logout', {
  capability: 'no session',
  rateLimit: { perMinute: 1200 },
  summary: 'Ends the session and sends the browser to the provider’s logout, which returns to /login.',
  response: 'redirect',
  sessionOnly: true,
})

export const readCopyState = call('GET', '/auth/offline', {
  capability: 'no session',
  rateLimit: { perMinute: 1200 },
  summary:
    'Whether the browser of a session may still keep the directory on its device, also after the session has expired: not once it was ended, the account was disabled, or its level changed.',
  response: z.strictObject({ mayKeep: z.boolean() }),
  sessionOnly: true,
})

/** Query parameter of `/login`, and its value after a failed sign-in. */
export const AUTH_PARAMETER = 'auth'
export const AUTH_FAILED = 'fail'
