import type { IncomingMessage, ServerResponse } from 'node:http'

import helmet from 'helmet'

/** A page has its own policy with a nonce; everything else may load nothing and cannot be framed. */
export const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'"

export type SecurityHeaders = readonly (readonly [name: string, value: string])[]

/**
 * The headers that helmet sets on every response. They do not depend on the request, so they are computed once. Each response sets its own
 * content security policy.
 */
export const securityHeaders = (isSecure: boolean): SecurityHeaders => {
  const headers: [string, string][] = []
  const collect = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' },
  })
  const response = { setHeader: (name: string, value: string) => void headers.push([name.toLowerCase(), value]), removeHeader: () => {} }
  collect({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error) throw new Error('The security headers could not be made', { cause: error })
  })
  return headers
}
