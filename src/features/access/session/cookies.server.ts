import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Configuration } from '../../../platform/server/configuration.ts'

type CookieConfiguration = Pick<Configuration, 'publicUrl'>

const isSecure = ({ publicUrl }: CookieConfiguration): boolean => publicUrl.startsWith('https:')

/**
 * The names of the two cookies. Over https, the prefix makes browsers accept them only from this exact host. On plain http (loopback), the port is in
 * the name, because a browser sends a host's cookies to all its ports.
 */
export const getCookieNames = (configuration: CookieConfiguration): { readonly browser: string; readonly companion: string } => {
  // Called with every request, so it does not parse the whole URL.
  const port = /:(\d+)(?:\/|$)/.exec(configuration.publicUrl)?.[1] ?? '80'
  const prefix = isSecure(configuration) ? '__Host-homeroom' : `homeroom-${port}`
  return { browser: `${prefix}-browser`, companion: prefix }
}

/** A value this server created (32 bytes in base64url), else undefined, so that other values are never looked up. */
const parseSecret = (value: string | undefined): string | undefined =>
  value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined

/** The cookie of the browser that starts a sign-in. */
export const getBrowserCookie = (request: FastifyRequest, configuration: CookieConfiguration): string | undefined =>
  parseSecret(request.cookies[getCookieNames(configuration).browser])
/** The cookie that must accompany the token of a session, so that a copied token is useless. */
export const getCompanionCookie = (request: FastifyRequest, configuration: CookieConfiguration): string | undefined =>
  parseSecret(request.cookies[getCookieNames(configuration).companion])

const cookieOptions = (configuration: CookieConfiguration, sameSite: 'lax' | 'strict') =>
  ({ path: '/', httpOnly: true, secure: isSecure(configuration), sameSite }) as const

/** Lax, because the provider sends the browser back from another site. It outlives a sign-in so that the next one has the same companion. */
export const setBrowserCookie = (reply: FastifyReply, configuration: Configuration, value: string): void =>
  void reply.setCookie(getCookieNames(configuration).browser, value, {
    ...cookieOptions(configuration, 'lax'),
    maxAge: configuration.sessionHours * 3600,
  })

/** Strict, so that a link on another site cannot sign someone out; only our own pages need it. */
export const setCompanionCookie = (reply: FastifyReply, configuration: Configuration, value: string): void =>
  void reply.setCookie(getCookieNames(configuration).companion, value, {
    ...cookieOptions(configuration, 'strict'),
    maxAge: configuration.sessionHours * 3600,
  })

export const clearCookies = (reply: FastifyReply, configuration: Configuration): void => {
  void reply.clearCookie(getCookieNames(configuration).browser, cookieOptions(configuration, 'lax'))
  void reply.clearCookie(getCookieNames(configuration).companion, cookieOptions(configuration, 'strict'))
}
