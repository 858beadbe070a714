import type { RateLimit } from '../../../contract/call.ts'

/** Of each request to `/dav/`, per person: a program that reads every card by itself sends one per card. */
export const DAV_RATE_LIMIT: RateLimit = { perMinute: 12_000 }

/** Wrong passwords within a minute, after which further ones are refused unread: from one network address, and for one account. */
export const MAX_WRONG_PASSWORDS = { address: 30, account: 10 } as const

/** A request names at most this many cards, in 4 MB. */
export const MAX_DAV_BODY_BYTES = 4 * 1024 * 1024
export const MAX_XML_DEPTH = 20
export const MAX_XML_ELEMENTS = 30_000
