import type { FastifyReply, FastifyRequest } from 'fastify'

import { isObject } from '../../../contract/objects.ts'
import { invalidValue, SCIM_TYPE, ScimError } from './scim-error.server.ts'
import type { Json } from './scim-values.server.ts'

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const sendScim = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('cache-control', 'no-store').type(SCIM_TYPE).send(JSON.stringify(body))

/** Weak, since it compares revisions and not bytes. */
export const toEtag = (revision: number): string => `W/"${revision}"`

/** Throws 412 if `If-Match` contains none of the versions. */
export const checkVersion =
  ({ headers }: FastifyRequest) =>
  (revision: number): void => {
    const wanted = headers['if-match']
    if (wanted === undefined || wanted.trim() === '*') return
    const versions = [...wanted.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, version]) => version)
    if (!versions.includes(String(revision))) throw new ScimError(412, 'The resource was changed in between')
  }

export const getParameter = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Record<string, unknown>)[name]
  // With two filters, it would be unclear which one applies.
  if (Array.isArray(value)) throw invalidValue(`${name} is given more than once`)
  return typeof value === 'string' ? value : undefined
}

export const getNumber = (request: FastifyRequest, name: string): number | undefined => {
  const text = getParameter(request, name)
  if (text === undefined || text === '') return undefined
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} is a number`)
  return Number(text)
}

export const getNames = (request: FastifyRequest, name: string): string[] =>
  (getParameter(request, name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, 100)

export const getId = (request: FastifyRequest): string => (request.params as { id: string }).id

/** The same maximum nesting as in other calls; our bodies have three levels. */
const MAX_DEPTH = 40

export const assertNotTooDeep = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw invalidValue('The body is nested too deeply')
  for (const inner of Object.values(value)) assertNotTooDeep(inner, depth + 1)
}

export const getBody = ({ body }: FastifyRequest): Json => {
  if (!isObject(body)) throw new ScimError(400, 'The body is not an object', 'invalidSyntax')
  return body
}

export const toList = (startIndex: number, totalResults: number, resources: readonly Json[]): object => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})
