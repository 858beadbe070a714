import type { FastifyRequest } from 'fastify'

import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { createTimeSlices, LONG_WORK_REST_MS } from '../../../platform/server/time-slices.ts'
import type { AddressBook, AddressBooks, Member } from './address-books.server.ts'
import { readFilter } from './card-filter.server.ts'
import { listFilteredProperties, writeCard } from './cards.server.ts'
import { DavError } from './dav-error.server.ts'
import { type PropertyRequest, readLimit, readProperties } from './dav-requests.server.ts'
import { escapeXml, writeResponse, writeStatus } from './dav-responses.server.ts'
import { CARDDAV, DAV, findChild, isElement, listChildren, type XmlElement } from './dav-xml.server.ts'
import type { BookState } from './mutations.server.ts'
import { getBookPath, getCardPath, type Paths, writeProperties } from './properties.server.ts'
import { listChanges, readSyncToken, toWholePosition, writeSyncToken } from './queries.server.ts'

/** A request for cards of one address book. */
export interface BookRequest {
  readonly context: AppContext
  readonly books: AddressBooks
  readonly user: SignedIn
  readonly paths: Paths
  readonly book: AddressBook
  readonly request: FastifyRequest
  /** Whether the program wants no list of what is missing (RFC 7240). */
  readonly isMinimal: boolean
}

/** The responses of a multistatus, one after the other. */
type Responses = AsyncGenerator<string>

const NOT_FOUND = writeStatus(404)
/** There are more than the program wanted at once. */
const writeTruncated = (path: string): string =>
  writeResponse(path, `${writeStatus(507)}<D:error><D:number-of-matches-within-limits/></D:error>`)

/** The response for a card; 404 if its record is gone by now. */
export const writeCardResponse = async (
  { context, books, user, paths, book, isMinimal }: BookRequest,
  wanted: PropertyRequest,
  member: Member,
): Promise<string> => {
  const path = getCardPath(paths, book, member.name)
  const contact = wanted.addressData ? books.findContact(member.name) : undefined
  if (wanted.addressData && !contact) return writeResponse(path, NOT_FOUND)
  const data = contact && wanted.addressData ? escapeXml(await writeCard(context, contact, wanted.addressData)) : undefined
  // Of this moment, as the card is: the list of members may be older.
  const etag = (contact && books.findEtag(member.name)) ?? member.etag
  return writeResponse(path, writeProperties(wanted, { kind: 'card', member: { ...member, etag }, data }, paths, user, isMinimal))
}

/** `addressbook-multiget`: the named cards. */
async function* getCards(asked: BookRequest, root: XmlElement): Responses {
  const { book, paths, request } = asked
  const wanted = readProperties(root, request.headers.accept)
  const members = new Map((await book.listMembers()).map((member) => [member.name, member]))
  const pause = createTimeSlices(LONG_WORK_REST_MS)
  const base = getBookPath(paths, book)
  for (const href of listChildren(root, DAV, 'href')) {
    await pause()
    const text = href.text.trim()
    const name = findCardName(text, base)
    const member = name === undefined ? undefined : members.get(name)
    yield member ? await writeCardResponse(asked, wanted, member) : writeResponse(text, NOT_FOUND)
  }
}

/** The name of the card at an address, which may be a whole URL, and have any of its characters escaped. */
const findCardName = (href: string, base: string): string | undefined => {
  try {
    const path = decodeURIComponent(new URL(href, 'http://server').pathname)
    return path.startsWith(base) ? /^([\w.-]+)\.vcf$/.exec(path.slice(base.length))?.[1] : undefined
  } catch {
    return undefined
  }
}

/** `addressbook-query`: the cards that pass a filter. */
async function* findCards(asked: BookRequest, root: XmlElement): Responses {
  const { book, books, paths, request } = asked
  const wanted = readProperties(root, request.headers.accept)
  const passes = readFilter(root)
  const limit = readLimit(root, CARDDAV)
  const pause = createTimeSlices(LONG_WORK_REST_MS)
  let count = 0
  for (const member of await book.listMembers()) {
    await pause()
    const contact = books.findContact(member.name)
    if (!contact || !passes(listFilteredProperties(contact))) continue
    if (count === limit) {
      yield writeTruncated(getBookPath(paths, book))
      return
    }
    count++
    yield await writeCardResponse(asked, wanted, member)
  }
}

/** `sync-collection`: what changed since a token, and the next token. */
async function* syncCards(asked: BookRequest, root: XmlElement, state: BookState): Responses {
  const { book, context, paths, request } = asked
  const wanted = readProperties(root, request.headers.accept)
  const limit = readLimit(root, DAV)
  const token = findChild(root, DAV, 'sync-token')?.text.trim() ?? ''
  const since = token === '' ? null : readSyncToken(paths.root, state, token)
  const changes = await listChanges(context.db, book.key, since, limit)
  const isTruncated = limit !== null && changes.length > limit
  const shown = isTruncated ? changes.slice(0, limit) : changes
  const pause = createTimeSlices(LONG_WORK_REST_MS)
  for (const { name, etag } of shown) {
    await pause()
    if (etag === null) yield writeResponse(getCardPath(paths, book, name), NOT_FOUND)
    else yield await writeCardResponse(asked, wanted, { name, etag })
  }
  if (isTruncated) yield writeTruncated(getBookPath(paths, book))
  const last = shown.at(-1)
  const start = since?.start ?? state.revision
  const position = isTruncated && last ? { revision: last.revision, after: last.name, start } : toWholePosition(state)
  yield `<D:sync-token>${escapeXml(writeSyncToken(paths.root, state, position))}</D:sync-token>\n`
}

/** The responses to a report; throws what is wrong with it before the first one. */
export const startReport = async (asked: BookRequest, root: XmlElement, state: BookState): Promise<AsyncIterable<string>> => {
  const report = isElement(root, CARDDAV, 'addressbook-multiget')
    ? getCards(asked, root)
    : isElement(root, CARDDAV, 'addressbook-query')
      ? findCards(asked, root)
      : isElement(root, DAV, 'sync-collection')
        ? syncCards(asked, root, state)
        : undefined
  if (!report) throw new DavError(403, 'This report is not supported', 'D:supported-report')
  const first = await report.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* report
  })()
}
