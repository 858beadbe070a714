import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../../contract/problem.ts'
import type { Tx } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type NewAuditEvent, getAuditActor, recordAudit } from '../../../platform/server/audit.ts'
import { BodyMemoryLimit } from '../../../platform/server/body-memory-limit.ts'
import { runSave } from '../../../platform/server/edit-transaction.ts'
import { hasTooManyValues } from '../../../platform/server/json-values.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { getTenant } from '../session/queries.server.ts'
import { SCIM_RATE_LIMIT } from './contract.ts'
import {
  deleteGroup,
  type StoredGroup,
  findGroup,
  insertGroup,
  listGroups,
  listMembers,
  patchGroup,
  replaceGroup,
} from './groups.server.ts'
import { toGroupEvents, toGroupRemovalEvents, toUserEvents } from './scim-audit.server.ts'
import { buildDescriptions, MAX_SCIM_RESULTS } from './scim-descriptions.server.ts'
import { formatScimProblem, SCIM_TYPE, ScimError } from './scim-error.server.ts'
import { compileFilter, compileSort, parseFilter } from './scim-filter.server.ts'
import { applyOperations, readOperations, readResource } from './scim-patch.server.ts'
import {
  assertNotTooDeep,
  checkVersion,
  getBody,
  getId,
  getNames,
  getNumber,
  getParameter,
  sendScim,
  toEtag,
  toList,
} from './scim-requests.server.ts'
import {
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  type ResourceType,
  selectAttributes,
  toGroupInput,
  toUserInput,
  USER_SCHEMA,
} from './scim-schemas.server.ts'
import type { Json } from './scim-values.server.ts'
import { findToken, type UsedToken } from './tokens.server.ts'
import {
  deleteUser,
  type DirectoryUser,
  findUser,
  insertUser,
  type ListQuery,
  listUsers,
  updateUser,
  type UserChange,
} from './users.server.ts'

const PREFIX = '/scim/v2'
/** The actor's name in histories and the audit trail. */
const DIRECTORY = 'Directory'
const DEFAULT_COUNT = 100
/** Total members in one list response: with larger groups a page has fewer groups. */
const MAX_LISTED_MEMBERS = 50_000
const USER_BODY_BYTES = 256 * 1024
/** A group with the maximum number of members, each with a name. */
const GROUP_BODY_BYTES = 8 * 1024 * 1024
const MAX_JSON_VALUES = 500_000

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the directory; null on all other routes. */
    scimToken: UsedToken | null
  }
}

/** `/scim/v2`, through which a directory provisions users and groups (RFC 7643 and 7644), with separate tokens. */
export const mountScim = async (app: FastifyInstance, context: AppContext): Promise<void> => {
  if (!context.configuration.serve.has('app')) return
  app.decorateRequest('scimToken', null)
  await app.register(
    async (scope) => {
      readScimBodies(scope)
      // All responses are in SCIM format, including those of unknown paths.
      scope.setNotFoundHandler((_request, reply) =>
        sendScim(reply.code(404), formatScimProblem(new Problem(404, 'There is nothing at this address')).body),
      )
      new ScimRoutes(scope, context).add()
    },
    { prefix: PREFIX },
  )
}

/** Groups have many members, so more values are allowed than elsewhere. */
const readScimBodies = (scope: FastifyInstance): void => {
  const parse = scope.getDefaultJsonParser('error', 'error') as (
    request: unknown,
    body: string,
    done: (error: Error | null, body?: unknown) => void,
  ) => void
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser([SCIM_TYPE, 'application/json'], { parseAs: 'string' }, (request, body: string, done) => {
    // Okta names a content type also where it sends no body.
    if (body === '') return done(null)
    if (hasTooManyValues(body, MAX_JSON_VALUES)) return done(new Problem(413, 'The request is too large'))
    parse(request, body, (error, value) => done(error && new ScimError(400, 'The JSON is not valid', 'invalidSyntax'), value))
  })
}

class ScimRoutes {
  readonly #server: FastifyInstance
  readonly #context: AppContext
  readonly #tenant: string
  readonly #base: string
  readonly #bodies = new BodyMemoryLimit()

  constructor(scope: FastifyInstance, context: AppContext) {
    this.#server = scope
    this.#context = context
    this.#tenant = getTenant(context.configuration)
    this.#base = context.configuration.publicUrl + PREFIX
  }

  add(): void {
    for (const { path, answer } of buildDescriptions(this.#base, `${this.#context.configuration.publicUrl}/docs`))
      this.#route('GET', path, async (request, reply) => sendScim(reply, answer(request)))
    this.#addUsers()
    this.#addGroups()
  }

  #route(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    const bodyLimit = url.startsWith('/Groups') ? GROUP_BODY_BYTES : USER_BODY_BYTES
    this.#server.route({
      method,
      url,
      exposeHeadRoute: false,
      bodyLimit,
      config: { rateLimit: { max: SCIM_RATE_LIMIT.perMinute, timeWindow: '1 minute' }, formatProblem: formatScimProblem },
      onRequest: async (request) => {
        const token = await findToken(this.#context.db, request.headers.authorization)
        if (!token) throw new Problem(401, 'This token is unknown or was removed')
        request.scimToken = token
      },
      preParsing: async (request, reply, payload) => this.#bodies.acquire(request, reply, bodyLimit).then(() => payload),
      preHandler: async ({ body }) => assertNotTooDeep(body),
      handler,
    })
  }

  /** Runs a write in one transaction, with its events. The caches of this server are cleared before the response; other servers are notified. */
  async #write<T>(request: FastifyRequest, work: (tx: Tx) => Promise<T>, toEvents: (result: T) => readonly NewAuditEvent[]): Promise<T> {
    const token = request.scimToken?.name ?? ''
    const actor = { account: null, name: `${DIRECTORY} (token ${token})`, request: request.id }
    const result = await runSave(this.#context, actor, async (tx) => {
      const done = await work(tx)
      await recordAudit(tx, getAuditActor(request, { name: DIRECTORY, token }), ...toEvents(done))
      return done
    })
    await this.#context.lists.invalidate(['directory_membership'])
    return result
  }

  async #writeUser<T extends UserChange>(request: FastifyRequest, work: (tx: Tx) => Promise<T>): Promise<T> {
    const change = await this.#write(request, work, toUserEvents)
    const { before, after } = change
    const [was, is] = [before?.active ?? true, after?.active ?? false]
    if (was !== is)
      logSecurityEvent(this.#context.log, request, is ? 'account_enabled' : 'account_disabled', {
        of: (after ?? before)?.account ?? null,
        user: (after ?? before)?._id ?? null,
        token: request.scimToken?._id ?? null,
      })
    return change
  }

  #select(type: ResourceType, request: FastifyRequest, resource: Json): Json {
    return selectAttributes(type, resource, {
      attributes: getNames(request, 'attributes'),
      excluded: getNames(request, 'excludedAttributes'),
    })
  }

  #sendResource(request: FastifyRequest, reply: FastifyReply, type: ResourceType, resource: Json, revision: number): FastifyReply {
    void reply.header('etag', toEtag(revision))
    if (request.method === 'GET' && request.headers['if-none-match']?.includes(toEtag(revision)) === true)
      return reply.code(304).header('cache-control', 'no-store').send()
    if (reply.statusCode === 201) void reply.header('location', (resource['meta'] as Json)['location'])
    return sendScim(reply, this.#select(type, request, resource))
  }

  #toMeta(
    resourceType: string,
    { _id, createdAt, updatedAt, revision }: { _id: string; createdAt: Date; updatedAt: Date; revision: number },
  ) {
    return {
      resourceType,
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${this.#base}/${resourceType}s/${_id}`,
      version: toEtag(revision),
    }
  }

  #toUser(user: DirectoryUser): Json {
    const { _id, userName, externalId, active, resource, groups } = user
    return {
      schemas: [USER_SCHEMA, ...(ENTERPRISE_SCHEMA in resource ? [ENTERPRISE_SCHEMA] : [])],
      id: _id,
      ...(externalId === null ? {} : { externalId }),
      userName,
      ...resource,
      active,
      ...(groups.length === 0
        ? {}
        : { groups: groups.map(({ value, display }) => ({ value, display, type: 'direct', $ref: `${this.#base}/Groups/${value}` })) }),
      meta: this.#toMeta('User', user),
    }
  }

  async #toGroup(group: StoredGroup, withMembers: boolean): Promise<Json> {
    const { _id, displayName, externalId, memberCount } = group
    const members = withMembers && memberCount > 0 ? await listMembers(this.#context.db, _id) : []
    return {
      schemas: [GROUP_SCHEMA],
      id: _id,
      ...(externalId === null ? {} : { externalId }),
      displayName,
      ...(members.length === 0
        ? {}
        : { members: members.map(({ value, display }) => ({ value, display, type: 'User', $ref: `${this.#base}/Users/${value}` })) }),
      meta: this.#toMeta('Group', group),
    }
  }

  /** Members are expensive, so they are read only if the response contains them. */
  #requestsMembers(request: FastifyRequest): boolean {
    const isNamed = (names: readonly string[]) => names.some((name) => /^(urn:.*:)?members(\.|$)/i.test(name))
    const attributes = getNames(request, 'attributes')
    return !isNamed(getNames(request, 'excludedAttributes')) && (attributes.length === 0 || isNamed(attributes))
  }

  #readListQuery(type: ResourceType, request: FastifyRequest): ListQuery & { readonly startIndex: number } {
    const filter = getParameter(request, 'filter')
    const sortBy = getParameter(request, 'sortBy')
    const startIndex = Math.max(1, getNumber(request, 'startIndex') ?? 1)
    return {
      condition: filter === undefined || filter.trim() === '' ? undefined : compileFilter(type, parseFilter(filter)),
      order: sortBy === undefined || sortBy === '' ? undefined : compileSort(type, sortBy),
      isDescending: getParameter(request, 'sortOrder')?.toLowerCase() === 'descending',
      startIndex,
      offset: startIndex - 1,
      limit: Math.min(MAX_SCIM_RESULTS, Math.max(0, getNumber(request, 'count') ?? DEFAULT_COUNT)),
    }
  }

  #addUsers(): void {
    const { db } = this.#context
    const tenant = this.#tenant
    this.#route('GET', '/Users', async (request, reply) => {
      const query = this.#readListQuery('User', request)
      const { total, items } = await listUsers(db, tenant, query)
      return sendScim(
        reply,
        toList(
          query.startIndex,
          total,
          items.map((user) => this.#select('User', request, this.#toUser(user))),
        ),
      )
    })
    this.#route('GET', '/Users/:id', async (request, reply) => {
      const user = await findUser(db, tenant, getId(request))
      return this.#sendResource(request, reply, 'User', this.#toUser(user), user.revision)
    })
    this.#route('POST', '/Users', async (request, reply) => {
      const input = toUserInput(readResource('User', getBody(request)))
      const { after: user } = await this.#writeUser(request, async (tx) => ({ before: null, after: await insertUser(tx, tenant, input) }))
      return this.#sendResource(request, reply.code(201), 'User', this.#toUser(user), user.revision)
    })
    const update = async (request: FastifyRequest, reply: FastifyReply, toInput: (stored: Json) => Json): Promise<FastifyReply> => {
      const { after } = await this.#writeUser(request, (tx) =>
        updateUser(tx, tenant, getId(request), {
          check: checkVersion(request),
          toInput: ({ userName, externalId, active, resource }) =>
            toUserInput(toInput({ ...resource, userName, externalId: externalId ?? undefined, active })),
        }),
      )
      return this.#sendResource(request, reply, 'User', this.#toUser(after), after.revision)
    }
    this.#route('PUT', '/Users/:id', async (request, reply) => {
      const body = readResource('User', getBody(request))
      return update(request, reply, () => body)
    })
    this.#route('PATCH', '/Users/:id', async (request, reply) => {
      const operations = readOperations(request.body)
      return update(request, reply, (stored) => applyOperations('User', stored, operations))
    })
    this.#route('DELETE', '/Users/:id', async (request, reply) => {
      await this.#writeUser(request, async (tx) => ({
        before: await deleteUser(tx, tenant, getId(request), checkVersion(request)),
        after: null,
      }))
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  }

  #addGroups(): void {
    const { db } = this.#context
    const tenant = this.#tenant
    const sendGroup = async (request: FastifyRequest, reply: FastifyReply, group: StoredGroup): Promise<FastifyReply> =>
      this.#sendResource(request, reply, 'Group', await this.#toGroup(group, this.#requestsMembers(request)), group.revision)
    this.#route('GET', '/Groups', async (request, reply) => {
      const query = this.#readListQuery('Group', request)
      const { total, items } = await listGroups(db, tenant, query)
      const withMembers = this.#requestsMembers(request)
      const resources: Json[] = []
      let members = 0
      for (const group of items) {
        members += withMembers ? group.memberCount : 0
        if (members > MAX_LISTED_MEMBERS && resources.length > 0) break
        resources.push(this.#select('Group', request, await this.#toGroup(group, withMembers)))
      }
      return sendScim(reply, toList(query.startIndex, total, resources))
    })
    this.#route('GET', '/Groups/:id', async (request, reply) => sendGroup(request, reply, await findGroup(db, tenant, getId(request))))
    this.#route('POST', '/Groups', async (request, reply) => {
      const input = toGroupInput(getBody(request))
      const { after } = await this.#write(request, (tx) => insertGroup(tx, tenant, input), toGroupEvents)
      return sendGroup(request, reply.code(201), after)
    })
    this.#route('PUT', '/Groups/:id', async (request, reply) => {
      const input = toGroupInput(getBody(request))
      const { after } = await this.#write(
        request,
        (tx) => replaceGroup(tx, tenant, getId(request), checkVersion(request), input),
        toGroupEvents,
      )
      return sendGroup(request, reply, after)
    })
    this.#route('PATCH', '/Groups/:id', async (request, reply) => {
      const operations = readOperations(request.body)
      const { after } = await this.#write(
        request,
        (tx) => patchGroup(tx, tenant, getId(request), checkVersion(request), operations),
        toGroupEvents,
      )
      // Without a body unless attributes are requested: the group may have thousands of members.
      if (getNames(request, 'attributes').length > 0) return sendGroup(request, reply, after)
      return reply.code(204).header('etag', toEtag(after.revision)).header('cache-control', 'no-store').send()
    })
    this.#route('DELETE', '/Groups/:id', async (request, reply) => {
      await this.#write(request, (tx) => deleteGroup(tx, tenant, getId(request), checkVersion(request)), toGroupRemovalEvents)
      return reply.code(204).header('cache-control', 'no-store').send()
    })
  }
}
