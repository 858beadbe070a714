import type { IncomingMessage, ServerResponse } from 'node:http'

import helmet from 'helmet'

/** A page brings its own policy, with its nonce; everything else may load nothing and stand in no frame. */
export const BARE_POLICY = "default-src 'none'; frame-ancestors 'none'"

export type SecurityHeaders = readonly (readonly [name: string, value: string])[]

/**
 * What helmet says on every answer. None of it depends on the request, so it is asked once and not a thousand times a second. The content
 * policy is each answer's own.
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
