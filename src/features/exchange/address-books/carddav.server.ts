import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { notFound } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { BodyMemoryLimit } from '../../../platform/server/body-memory-limit.ts'
import { createSendingCompressor } from '../../../platform/server/compression.ts'
import { getEncoding } from '../../../platform/server/encodings.ts'
import { joinChunks } from '../../../platform/server/json-response.ts'
import { createTimeSlices, LONG_WORK_REST_MS } from '../../../platform/server/time-slices.ts'
import { withTimeout } from '../../../platform/server/with-timeout.ts'
import { ADDRESS_BOOKS_PATH } from '../../access/devices/rules.ts'
import type { AddressBook, AddressBooks } from './address-books.server.ts'
import { writeCard } from './cards.server.ts'
import { DAV_RATE_LIMIT, MAX_DAV_BODY_BYTES } from './contract.ts'
import { DavError, invalidXml } from './dav-error.server.ts'
import { getAcceptedVersion, getDepth, readPropfind, readXmlBody } from './dav-requests.server.ts'
import { formatDavProblem, MULTISTATUS_END, MULTISTATUS_START, writeResponse, XML_TYPE } from './dav-responses.server.ts'
import { recordBooks } from './mutations.server.ts'
import { getBookPath, getPaths, type Paths, type Resource, writeProperties } from './properties.server.ts'
import { toWholePosition, writeSyncToken } from './queries.server.ts'
import { type BookRequest, startReport, writeCardResponse } from './reports.server.ts'
import { signInDevice } from './sign-in.server.ts'

const PREFIX = ADDRESS_BOOKS_PATH.slice(0, -1)
const WELL_KNOWN = '/.well-known/carddav'
const READ_METHODS = ['OPTIONS', 'GET', 'HEAD', 'PROPFIND', 'REPORT']
/** Everything with which a program could change something. */
const WRITE_METHODS = ['PUT', 'POST', 'PATCH', 'DELETE', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'ACL', 'MKCALENDAR']
/** Classes 1 and 3 of RFC 4918, with access control and address books. */
const COMPLIANCE = '1, 3, access-control, addressbook'
/** A database that does not respond delays no answer from memory for longer. */
const MAX_CATCH_UP_MS = 1000

/** `/dav/`: address books for contact programs (CardDAV, RFC 6352), read only, with the passwords of devices. */
export const mountAddressBooks = async (app: FastifyInstance, context: AppContext, books: AddressBooks): Promise<void> => {
  if (!context.configuration.serve.has('app')) return
  for (const method of [...READ_METHODS, ...WRITE_METHODS])
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  // Programs find the address books by the name of the server alone (RFC 6764).
  app.route({
    method: READ_METHODS.filter((method) => method !== 'HEAD'),
    url: WELL_KNOWN,
    // Before the body is read, whose type no other route accepts.
    onRequest: (_request, reply) => void reply.redirect(ADDRESS_BOOKS_PATH, 301),
    handler: async (_request, reply) => reply,
  })
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      new AddressBookRoutes(scope, context, books).add()
    },
    { prefix: PREFIX },
  )
}

const isMinimal = ({ headers }: FastifyRequest): boolean => /\breturn[= ]"?minimal/.test(String(headers['prefer'] ?? ''))

/** A request without one needs no memory for it. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

class AddressBookRoutes {
  readonly #server: FastifyInstance
  readonly #context: AppContext
  readonly #books: AddressBooks
  readonly #bodies = new BodyMemoryLimit()

  constructor(scope: FastifyInstance, context: AppContext, books: AddressBooks) {
    this.#server = scope
    this.#context = context
    this.#books = books
  }

  add(): void {
    this.#route(['OPTIONS'], async (_request, reply) => reply.header('allow', READ_METHODS.join(', ')).code(200).send(''), false)
    this.#route(['GET'], (request, reply) => this.#get(request, reply))
    this.#route(['PROPFIND'], (request, reply) => this.#propfind(request, reply))
    this.#route(['REPORT'], (request, reply) => this.#report(request, reply))
    this.#route(WRITE_METHODS, async () => {
      throw notFound('Page')
    })
  }

  #route(methods: string[], handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>, isPrivate = true): void {
    for (const url of ['/', '/*'])
      this.#server.route({
        method: methods,
        url,
        bodyLimit: MAX_DAV_BODY_BYTES,
        config: {
          rateLimit: { max: DAV_RATE_LIMIT.perMinute, timeWindow: '1 minute' },
          formatProblem: formatDavProblem,
          challenge: 'Basic realm="Homeroom address books", charset="UTF-8"',
        },
        onRequest: async (request, reply) => {
          void reply.header('dav', COMPLIANCE).header('cache-control', 'no-store').header('vary', 'Authorization, Accept, Accept-Encoding')
          if (!isPrivate) return
          request.signedIn = await signInDevice(this.#context, request)
          // Before the body is read.
          if (WRITE_METHODS.includes(request.method)) throw this.#refuseWrite(request)
        },
        preParsing: async (request, reply, payload) => {
          if (hasBody(request)) await this.#bodies.acquire(request, reply, MAX_DAV_BODY_BYTES)
          return payload
        },
        handler,
      })
  }

  #refuseWrite(request: FastifyRequest): DavError {
    const name = /\/([\w.-]+)\.vcf$/.exec(request.url.split('?')[0] ?? '')?.[1]
    const path = (name === undefined ? undefined : this.#books.findEditPath(name)) ?? '/'
    const url = `${this.#context.configuration.publicUrl}${path}`
    return new DavError(403, 'These address books are read only', 'D:need-privileges', `Suggest the change at ${url}`)
  }

  /** What was saved anywhere until now is known here, so that two servers do not contradict each other. */
  async #catchUp(): Promise<void> {
    await withTimeout(MAX_CATCH_UP_MS, this.#context.lists.catchUp()).catch(() => {})
    await this.#context.readModel.ready()
  }

  #getUser(request: FastifyRequest) {
    const user = request.signedIn
    if (!user) throw new Error('The request has no user')
    return { user, paths: getPaths(ADDRESS_BOOKS_PATH, user) }
  }

  /** The parts of the path after the prefix. */
  #getParts(request: FastifyRequest): string[] {
    const { '*': rest = '' } = request.params as { '*'?: string }
    return rest.split('/').filter(Boolean)
  }

  /** The address book at a path, and the name of a card in it; throws 404 for one that this person does not have. */
  async #findBook(request: FastifyRequest, parts: readonly string[]): Promise<{ book: AddressBook; card: string | undefined }> {
    const { user } = this.#getUser(request)
    const [collection, account, name, file, ...more] = parts
    const card = file === undefined ? undefined : /^([\w.-]+)\.vcf$/.exec(file)?.[1]
    const isKnown =
      collection === 'addressbooks' && account === user.account && more.length === 0 && (file === undefined || card !== undefined)
    const book = isKnown ? (await this.#books.list(user)).find((one) => one.name === name) : undefined
    if (!book) throw notFound('Address book')
    return { book, card }
  }

  #toRequest(request: FastifyRequest, book: AddressBook): BookRequest {
    return {
      context: this.#context,
      books: this.#books,
      ...this.#getUser(request),
      book,
      request,
      isMinimal: isMinimal(request),
    }
  }

  async #toBookResources(paths: Paths, books: readonly AddressBook[]): Promise<(Resource & { kind: 'book' })[]> {
    const states = await recordBooks(this.#context, books)
    return books.flatMap((book) => {
      const state = states.get(book.key)
      return state ? [{ kind: 'book', book, token: writeSyncToken(paths.root, state, toWholePosition(state)) }] : []
    })
  }

  async #get(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const parts = this.#getParts(request)
    const { user } = this.#getUser(request)
    await this.#catchUp()
    if (parts[0] === 'photos' && parts.length === 2) {
      const photo = await this.#books.readPhoto(user, parts[1] ?? '')
      if (!photo) throw notFound('Photo')
      return reply.type(photo.type).send(photo.bytes)
    }
    if (parts.length >= 2 && parts[1] !== user.account) throw notFound('Address book')
    if (parts.length < 4)
      return reply
        .type('text/plain; charset=utf-8')
        .send(`These address books are for contact programs. Add a device at ${this.#context.configuration.publicUrl}/account\n`)
    const version = getAcceptedVersion(request.headers.accept)
    const { book, card = '' } = await this.#findBook(request, parts)
    const isMember = (await book.listMembers()).some(({ name }) => name === card)
    const [contact, etag] = isMember ? [this.#books.findContact(card), this.#books.findEtag(card)] : []
    if (!contact || etag === undefined) throw notFound('Contact')
    void reply.header('etag', etag)
    const known = request.headers['if-none-match']
    if (known !== undefined && (known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)))
      return reply.code(304).send()
    const type = `text/vcard; charset=utf-8${version === '4.0' ? '; version=4.0' : ''}`
    return reply.type(type).send(await writeCard(this.#context, contact, { version, only: null }))
  }

  async #propfind(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const depth = getDepth(request)
    const wanted = await readPropfind(request)
    await this.#catchUp()
    const { user, paths } = this.#getUser(request)
    const minimal = isMinimal(request)
    const write = (path: string, resource: Resource): string => writeResponse(path, writeProperties(wanted, resource, paths, user, minimal))
    const parts = this.#getParts(request)
    if (parts[0] !== 'addressbooks' || parts.length < 3) {
      const resources = await this.#findCollections(parts, depth, paths, request)
      return this.#sendMultistatus(request, reply, toAsync(resources.map(([path, resource]) => write(path, resource))))
    }
    const { book, card } = await this.#findBook(request, parts)
    const asked = this.#toRequest(request, book)
    const members = await book.listMembers()
    if (card !== undefined) {
      const member = members.find(({ name }) => name === card)
      if (!member) throw notFound('Contact')
      return this.#sendMultistatus(request, reply, toAsync([await writeCardResponse(asked, wanted, member)]))
    }
    const [resource] = await this.#toBookResources(paths, [book])
    if (!resource) throw notFound('Address book')
    async function* list(): AsyncGenerator<string> {
      yield write(getBookPath(paths, book), resource as Resource)
      const pause = createTimeSlices(LONG_WORK_REST_MS)
      for (const member of depth === 1 ? members : []) {
        await pause()
        yield await writeCardResponse(asked, wanted, member)
      }
    }
    return this.#sendMultistatus(request, reply, list())
  }

  /** What is at a path above the address books, and with depth 1 below it. */
  async #findCollections(
    parts: readonly string[],
    depth: 0 | 1,
    paths: Paths,
    request: FastifyRequest,
  ): Promise<(readonly [path: string, resource: Resource])[]> {
    const { user } = this.#getUser(request)
    const isOwn = parts[1] === user.account
    const [principals, principal, homes, home] = (['principals', 'principal', 'homes', 'home'] as const).map(
      (kind) => [paths[kind], { kind }] as const,
    )
    const withChildren = async <T>(own: T, children: () => Promise<readonly (T | undefined)[]>): Promise<T[]> => [
      own,
      ...(depth === 1 ? (await children()).filter((child) => child !== undefined) : []),
    ]
    if (parts.length === 0)
      return withChildren<readonly [string, Resource]>([paths.root, { kind: 'root' }], async () => [principals, homes])
    if (parts.length === 1 && parts[0] === 'principals' && principals)
      return withChildren<readonly [string, Resource]>(principals, async () => [principal])
    if (parts.length === 1 && parts[0] === 'addressbooks' && homes)
      return withChildren<readonly [string, Resource]>(homes, async () => [home])
    if (parts.length === 2 && parts[0] === 'principals' && isOwn && principal) return [principal]
    if (parts.length === 2 && parts[0] === 'addressbooks' && isOwn && home)
      return withChildren<readonly [string, Resource]>(home, async () => {
        const resources = await this.#toBookResources(paths, await this.#books.list(user))
        return resources.map((resource) => [getBookPath(paths, resource.book), resource] as const)
      })
    throw notFound('Address book')
  }

  async #report(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const root = await readXmlBody(request)
    if (!root) throw invalidXml('It is empty')
    await this.#catchUp()
    const parts = this.#getParts(request)
    if (parts[0] !== 'addressbooks' || parts.length < 3) throw new DavError(403, 'This report is not supported here', 'D:supported-report')
    const { book, card } = await this.#findBook(request, parts)
    if (card !== undefined) throw new DavError(403, 'This report is not supported here', 'D:supported-report')
    const state = (await recordBooks(this.#context, [book])).get(book.key)
    if (!state) throw notFound('Address book')
    return this.#sendMultistatus(request, reply, await startReport(this.#toRequest(request, book), root, state))
  }

  /** Streamed, because the cards of everyone are a few megabytes. */
  #sendMultistatus(request: FastifyRequest, reply: FastifyReply, responses: AsyncIterable<string>): FastifyReply {
    async function* write(): AsyncGenerator<string> {
      yield MULTISTATUS_START
      yield* responses
      yield MULTISTATUS_END
    }
    void reply.code(207).type(XML_TYPE)
    const source = Readable.from(joinChunks(write()), { objectMode: false, highWaterMark: 65_536 })
    const encoding = getEncoding(request)
    if (!encoding) return reply.send(source)
    const compressor = createSendingCompressor(encoding)
    pipeline(source, compressor).catch(() => {})
    return reply.header('content-encoding', encoding).send(compressor)
  }
}

async function* toAsync(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}
