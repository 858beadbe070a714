import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Configuration } from '../../../platform/server/configuration.ts'

type Address = Pick<Configuration, 'publicUrl'>

const isSecure = ({ publicUrl }: Address): boolean => publicUrl.startsWith('https:')

/**
 * The names of the two cookies. Over https the prefix makes browsers refuse them from anywhere but this very host. On plain http
 * (loopback) the port is in the name, because a browser sends a host's cookies to every port of it.
 */
export const cookieNames = (configuration: Address): { readonly browser: string; readonly companion: string } => {
  const prefix = isSecure(configuration) ? '__Host-homeroom' : `homeroom-${new URL(configuration.publicUrl).port || '80'}`
  return { browser: `${prefix}-browser`, companion: prefix }
}

/** A value we made (32 bytes in base64url), or undefined: whatever else stands there is not looked up. */
const ours = (value: string | undefined): string | undefined => (value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined)

/** The cookie of the browser that starts a sign-in (D8). */
export const browserOf = (request: FastifyRequest, configuration: Address): string | undefined =>
  ours(request.cookies[cookieNames(configuration).browser])
/** The companion of a session (D9). */
export const companionIn = (request: FastifyRequest, configuration: Address): string | undefined =>
  ours(request.cookies[cookieNames(configuration).companion])

const settings = (configuration: Address, sameSite: 'lax' | 'strict') =>
  ({ path: '/', httpOnly: true, secure: isSecure(configuration), sameSite }) as const

/** Lax, because the provider sends the browser back from another site. It outlives a sign-in so that the next one has the same companion. */
export const setBrowser = (reply: FastifyReply, configuration: Configuration, value: string): void =>
  void reply.setCookie(cookieNames(configuration).browser, value, {
    ...settings(configuration, 'lax'),
    maxAge: configuration.sessionHours * 3600,
  })

/** Strict: it is only ever needed by pages of ours, and so no other site's link can sign somebody out. */
export const setCompanion = (reply: FastifyReply, configuration: Configuration, value: string): void =>
  void reply.setCookie(cookieNames(configuration).companion, value, {
    ...settings(configuration, 'strict'),
    maxAge: configuration.sessionHours * 3600,
  })

export const clearCookies = (reply: FastifyReply, configuration: Configuration): void => {
  void reply.clearCookie(cookieNames(configuration).browser, settings(configuration, 'lax'))
  void reply.clearCookie(cookieNames(configuration).companion, settings(configuration, 'strict'))
}
