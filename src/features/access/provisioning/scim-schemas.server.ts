import SCIMMY from 'scimmy'

import { isObject } from '../../../contract/objects.ts'
import { invalidValue, ScimError } from './scim-error.server.ts'

const { Schemas, Types } = SCIMMY

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

// Attributes that we do not use are not stored: secrets, pictures and keys of people.
Schemas.User.truncate(['password', 'ims', 'photos', 'x509Certificates', 'entitlements'])
// RFC 7643 only suggests "work" and "home"; directories send "Work", "secondary" and their own types.
for (const { config, subAttributes = [] } of Schemas.User.definition.attributes.filter((one) => one instanceof Types.Attribute))
  for (const one of config.multiValued === true ? subAttributes : []) one.config.canonicalValues = false
// The library takes the class of an extension; its types declare an instance.
Schemas.User.extend(Schemas.EnterpriseUser as never)

export type Json = Record<string, unknown>

/** An attribute of a schema. */
export interface ScimAttribute {
  /** Its spelling in the schema. */
  readonly name: string
  readonly type: string
  readonly isMultiValued: boolean
  readonly isCaseExact: boolean
  readonly isReadOnly: boolean
}

/** An attribute by its path: `emails.value` is `{extension: undefined, attribute: emails, sub: value}`. */
export interface ScimPath {
  /** The schema of the extension under which the attribute is nested in a resource. */
  readonly extension: string | undefined
  readonly attribute: ScimAttribute
  readonly sub: ScimAttribute | undefined
}

export type ResourceType = 'User' | 'Group'
const CORE_SCHEMAS = { User: USER_SCHEMA, Group: GROUP_SCHEMA } as const
/** Cache of looked-up paths; limited, since it only contains names in the schemas. */
const paths = { User: new Map<string, ScimPath>(), Group: new Map<string, ScimPath>() }
const MAX_PATH_LENGTH = 300

const toAttribute = (found: SCIMMY.Types.Attribute): ScimAttribute => ({
  name: found.name,
  type: found.type,
  isMultiValued: found.config.multiValued === true,
  isCaseExact: found.config.caseExact === true,
  isReadOnly: found.config.mutable === false,
})

const withoutPrefix = (text: string, prefix: string): string | undefined =>
  text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : undefined

/** The attribute for a path, with or without the URN of its schema, case-insensitive; undefined if the schema has none. */
export const findPath = (type: ResourceType, text: string): ScimPath | undefined => {
  if (text.length > MAX_PATH_LENGTH) return undefined
  const key = text.toLowerCase()
  const known = paths[type].get(key)
  if (known) return known
  const ofExtension = type === 'User' ? withoutPrefix(text, `${ENTERPRISE_SCHEMA}:`) : undefined
  const path = ofExtension ?? withoutPrefix(text, `${CORE_SCHEMAS[type]}:`) ?? text
  const [name = '', sub, ...more] = path.split('.')
  if (more.length > 0 || !/^\$?[a-z][\w-]*$/i.test(name) || (sub !== undefined && !/^\$?[a-z][\w-]*$/i.test(sub))) return undefined
  const extension = ofExtension === undefined ? undefined : ENTERPRISE_SCHEMA
  const { definition } = ofExtension === undefined ? Schemas[type] : Schemas.EnterpriseUser
  try {
    const attribute = definition.attribute(name)
    if (!(attribute instanceof Types.Attribute)) return undefined
    const inner = sub === undefined ? undefined : definition.attribute(`${name}.${sub}`)
    if (sub !== undefined && !(inner instanceof Types.Attribute)) return undefined
    const found = { extension, attribute: toAttribute(attribute), sub: inner instanceof Types.Attribute ? toAttribute(inner) : undefined }
    paths[type].set(key, found)
    return found
  } catch {
    return undefined
  }
}

/** Entra ID sends booleans as the texts "True" and "False". */
const BOOLEAN_NAMES = new Set(['active', 'primary'])
const toBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value

/** A value with boolean texts converted; `name` is its attribute. */
export const normalizeBooleans = (value: unknown, name = ''): unknown => {
  if (BOOLEAN_NAMES.has(name.toLowerCase())) return toBoolean(value)
  if (Array.isArray(value)) return value.map((one) => normalizeBooleans(one))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normalizeBooleans(inner, key)]))
}

/** Most users are a few hundred characters of JSON; none needs more than this. */
const MAX_RESOURCE_LENGTH = 64 * 1024
const MAX_NAME_LENGTH = 300
/** A NUL or an unpaired surrogate cannot be stored. */
const isUnstorable = (json: string): boolean => json.includes('\\u0000') || /\\ud[89a-f]/i.test(json)

const checkName = (name: string, value: unknown): void => {
  if (typeof value !== 'string' || value.trim() === '') throw invalidValue(`${name} is required`)
  if (value.length > MAX_NAME_LENGTH) throw invalidValue(`${name} may have ${MAX_NAME_LENGTH} characters`)
}

/** These attributes are derived from other columns or generated, so they are not stored. */
const omitOwn = ({ schemas: _schemas, meta: _meta, id: _id, groups: _groups, ...rest }: Json): Json => rest

/** An attribute with the value null counts as missing (RFC 7643, section 2.5). */
const omitNulls = (body: Json): Json => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))

const checkAgainst = (schema: typeof Schemas.User | typeof Schemas.Group, body: Json): Json => {
  try {
    return omitOwn(JSON.parse(JSON.stringify(new schema(body, 'in'))) as Json)
  } catch (error) {
    if (error instanceof Types.Error) throw new ScimError(error.status, error.message, 'invalidSyntax')
    if (error instanceof TypeError) throw invalidValue(error.message)
    throw error
  }
}

/** The stored form of a user. */
export interface UserInput {
  readonly userName: string
  readonly externalId: string | null
  /** Undefined if the directory does not send it. */
  readonly active: boolean | undefined
  readonly resource: Json
}

const toExternalId = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > MAX_NAME_LENGTH) throw invalidValue('externalId is not valid')
  return value
}

/** Validates a user with the schema; unknown attributes are ignored. */
export const toUserInput = (body: Json): UserInput => {
  const { userName, externalId, active, ...resource } = checkAgainst(Schemas.User, omitNulls(omitOwn(normalizeBooleans(body) as Json)))
  checkName('userName', userName)
  const json = JSON.stringify({ userName, externalId, resource })
  if (json.length > MAX_RESOURCE_LENGTH) throw invalidValue('The user is too large')
  if (isUnstorable(json)) throw invalidValue('The user has characters that cannot be stored')
  return { userName: (userName as string).trim(), externalId: toExternalId(externalId), active: active as boolean | undefined, resource }
}

/** The stored name and ids of a group, and the ids of its members. */
export interface GroupInput {
  readonly displayName: string
  readonly externalId: string | null
  readonly members: readonly string[]
}

export const MAX_MEMBERS = 50_000

/** The ids of members, given as one or several texts, or objects with a `value`. */
export const toMemberIds = (value: unknown): string[] => {
  const members = value === undefined || value === null ? [] : [value].flat()
  if (members.length > MAX_MEMBERS) throw invalidValue(`A group may have ${MAX_MEMBERS} members`)
  return members.map((member) => {
    const found = typeof member === 'string' ? member : isObject(member) ? (member['value'] ?? member['Value']) : undefined
    if (typeof found !== 'string') throw invalidValue('A member needs the id of a user as its value')
    return found.toLowerCase()
  })
}

/** A field of a body by its case-insensitive name. */
export const getField = (body: Json, name: string): unknown => {
  const key = Object.keys(body).find((one) => one.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : body[key]
}

/** Validates the name and external id of a group. */
export const toGroupNames = (displayName: unknown, externalId: unknown): Omit<GroupInput, 'members'> => {
  checkName('displayName', displayName)
  const names = { displayName: (displayName as string).trim(), externalId: toExternalId(externalId) }
  if (isUnstorable(JSON.stringify(names))) throw invalidValue('The group has characters that cannot be stored')
  return names
}

export const toGroupInput = (body: Json): GroupInput => ({
  ...toGroupNames(getField(body, 'displayName'), getField(body, 'externalId')),
  members: toMemberIds(getField(body, 'members')),
})

/** Removes attributes that were not requested or were excluded; `id` and `schemas` always stay. */
export const selectAttributes = (
  type: ResourceType,
  resource: Json,
  { attributes, excluded }: { readonly attributes: readonly string[]; readonly excluded: readonly string[] },
): Json => {
  if (attributes.length === 0 && excluded.length === 0) return resource
  const resolve = (texts: readonly string[]) =>
    texts.map((text) => {
      const isExtension = text.toLowerCase() === ENTERPRISE_SCHEMA.toLowerCase()
      const path = isExtension ? undefined : findPath(type, text)
      return isExtension
        ? [ENTERPRISE_SCHEMA]
        : path
          ? [path.extension, path.attribute.name, path.sub?.name].filter((key) => key !== undefined)
          : []
    })
  const wanted = resolve(attributes)
  const unwanted = resolve(excluded)
  const select = (value: unknown, keys: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((one) => select(one, keys))
    if (!isObject(value)) return value
    const isIn = (list: readonly (readonly string[])[], path: readonly string[]) =>
      list.some((one) => one.length > 0 && one.length <= path.length && one.every((key, at) => key === path[at]))
    const leadsTo = (path: readonly string[]) => wanted.some((one) => one.length > path.length && path.every((key, at) => key === one[at]))
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        const path = [...keys, key]
        const isAlways = keys.length === 0 && (key === 'id' || key === 'schemas')
        if (isAlways) return [[key, inner]]
        if (isIn(unwanted, path)) return []
        if (wanted.length > 0 && !isIn(wanted, path) && !leadsTo(path)) return []
        return [[key, isIn(wanted, path) && !unwanted.some((one) => one.length > path.length) ? inner : select(inner, path)]]
      }),
    )
  }
  return select(resource, []) as Json
}
