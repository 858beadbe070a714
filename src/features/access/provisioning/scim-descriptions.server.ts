import type { FastifyRequest } from 'fastify'
import SCIMMY from 'scimmy'

import { ScimError } from './scim-error.server.ts'
import { getId, getParameter, toList } from './scim-requests.server.ts'
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, type ResourceType, USER_SCHEMA } from './scim-schemas.server.ts'
import type { Json } from './scim-values.server.ts'

/** The maximum number of results in a list. */
export const MAX_SCIM_RESULTS = 200

/** An endpoint that describes our capabilities, for directories that query them before they provision. */
interface Description {
  readonly path: string
  readonly answer: (request: FastifyRequest) => object
}

const refuseFilter = (request: FastifyRequest): void => {
  if (getParameter(request, 'filter') !== undefined) throw new ScimError(403, 'These cannot be filtered')
}

const describeCatalog = (path: string, entries: readonly Json[]): Description[] => [
  {
    path,
    answer: (request) => {
      refuseFilter(request)
      return toList(1, entries.length, entries)
    },
  },
  {
    path: `${path}/:id`,
    answer: (request) => {
      const found = entries.find(({ id }) => String(id).toLowerCase() === getId(request).toLowerCase())
      if (!found) throw new ScimError(404, 'There is nothing at this address')
      return found
    },
  },
]

const describeType = (base: string, name: ResourceType, schema: string, extensions: readonly string[]): Json => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === 'User' ? 'Someone who may sign in' : 'People who may have a level together',
  schema,
  schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

/** `/ServiceProviderConfig`, `/Schemas` and `/ResourceTypes` (RFC 7644, section 4). */
export const buildDescriptions = (base: string, documentationUri: string): Description[] => {
  const configuration = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri,
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_SCIM_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that a level 1 administrator makes in the settings',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
  const { User, EnterpriseUser, Group } = SCIMMY.Schemas
  const schemas = [User, EnterpriseUser, Group].map(({ definition }) => definition.describe(`${base}/Schemas`) as unknown as Json)
  return [
    {
      path: '/ServiceProviderConfig',
      answer: (request) => {
        refuseFilter(request)
        return configuration
      },
    },
    ...describeCatalog('/Schemas', schemas),
    ...describeCatalog('/ResourceTypes', [
      describeType(base, 'User', USER_SCHEMA, [ENTERPRISE_SCHEMA]),
      describeType(base, 'Group', GROUP_SCHEMA, []),
    ]),
  ]
}
