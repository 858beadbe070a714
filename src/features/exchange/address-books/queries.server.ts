import { sql } from 'kysely'

import type { Db } from '../../../database/connection.server.ts'
import { DavError } from './dav-error.server.ts'
import type { BookState } from './mutations.server.ts'

/** A member that was changed, or removed if its etag is null. */
export interface MemberChange {
  readonly name: string
  readonly etag: string | null
  readonly revision: number
}

/** Where a program is: at a revision, and if it reads a book in parts, at a member. */
interface SyncPosition {
  readonly revision: number
  /** It has the members of this revision up to this one; null for all. */
  readonly after: string | null
  /** The revision at which it began to read in parts. */
  readonly start: number
}

export const toWholePosition = ({ revision }: BookState): SyncPosition => ({ revision, after: null, start: revision })

/** A token is a URI, as RFC 6578 requires. */
export const writeSyncToken = (base: string, { epoch }: BookState, { revision, after, start }: SyncPosition): string =>
  `${base}sync/${epoch}/${revision}${after === null ? '' : `/${after}/${start}`}`

/** The position of a token; throws the precondition of RFC 6578 for one of another book or server, or from before what is remembered. */
export const readSyncToken = (base: string, { epoch, revision, oldestRevision }: BookState, token: string): SyncPosition => {
  const found = token.startsWith(`${base}sync/`)
    ? /^([\da-f-]{36})\/(\d{1,15})(?:\/([\w.-]{1,300})\/(\d{1,15}))?$/.exec(token.slice(`${base}sync/`.length))
    : null
  const [, named, at, after = null, from = at] = found ?? []
  const position = { revision: Number(at), after, start: Number(from) }
  if (named !== epoch || Math.max(position.revision, position.start) > revision || position.start < oldestRevision)
    throw new DavError(403, 'This sync token is unknown or too old', 'D:valid-sync-token', 'Read the whole address book again.')
  return position
}

/** Sorts after every name. */
const AFTER_ALL_NAMES = '~'

/** What changed after a position, in order; without one, all members. One more than `limit`, if there are more. */
export const listChanges = async (db: Db, key: string, since: SyncPosition | null, limit: number | null): Promise<MemberChange[]> => {
  const { revision, after } = since ?? { revision: 0, after: null }
  const { rows } = await sql<MemberChange>`
    select name, etag, revision::float8 as revision from address_book_member
    where book = ${key} and (revision, name) > (${revision}::bigint, ${after ?? AFTER_ALL_NAMES})
      ${since === null || revision === 0 ? sql`and etag is not null` : sql``}
    order by revision, name ${limit === null ? sql`` : sql`limit ${limit + 1}`}`.execute(db)
  return rows
}
