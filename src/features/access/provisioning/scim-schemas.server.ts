import SCIMMY from 'scimmy'

import { isObject } from '../../../contract/objects.ts'
import { invalidValue } from './scim-error.server.ts'
import { type Json, readValue, type ScimAttribute } from './scim-values.server.ts'

const { Schemas, Types } = SCIMMY

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

// Attributes that we do not use are not stored: secrets, pictures and keys of people.
Schemas.User.truncate(['password', 'ims', 'photos', 'x509Certificates', 'entitlements'])
// RFC 7643 only suggests "work" and "home"; directories send "Work", "secondary" and their own types. `/Schemas` says so.
for (const { config, subAttributes = [] } of Schemas.User.definition.attributes.filter((one) => one instanceof Types.Attribute))
  for (const one of config.multiValued === true ? subAttributes : []) one.config.canonicalValues = false
// The library takes the class of an extension; its types declare an instance.
Schemas.User.extend(Schemas.EnterpriseUser as never)

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

const toAttribute = ({ name, type, config, subAttributes = [] }: SCIMMY.Types.Attribute): ScimAttribute => ({
  name,
  type,
  isMultiValued: config.multiValued === true,
  isCaseExact: config.caseExact === true,
  isReadOnly: config.mutable === false,
  isRequired: config.required === true,
  parts: subAttributes.map(toAttribute),
})

const findAttribute = ({ attributes }: SCIMMY.Types.SchemaDefinition, name: string): ScimAttribute | undefined => {
  const found = attributes.find((one) => one instanceof Types.Attribute && isSameName(one.name, name))
  return found instanceof Types.Attribute ? toAttribute(found) : undefined
}

/** Names of attributes and schemas are case-insensitive. */
const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** A path: the URN of a schema, the name of an attribute, a filter of its values, and the name of a part; all but the name are optional. */
const PATH = /^(?:(urn:[\w.:-]+):)?(\$?[a-z][\w-]*)(?:\[(.+)\])?((?:\.\$?[a-z][\w-]*)*)$/is

/** A path by its syntax alone (RFC 7644, section 3.10). */
interface ParsedPath {
  readonly urn: string | undefined
  readonly name: string
  readonly filter: string | undefined
  readonly sub: string | undefined
}

export const parsePath = (text: string): ParsedPath | undefined => {
  const [, urn, name, filter, subs = ''] = (text.length > MAX_PATH_LENGTH ? null : PATH.exec(text)) ?? []
  return name === undefined ? undefined : { urn, name, filter, sub: subs === '' ? undefined : subs.slice(1) }
}

/** The attribute of a path without a filter, with or without the URN of its schema; undefined if no schema has it. */
export const findPath = (type: ResourceType, text: string): ScimPath | undefined => {
  const key = text.toLowerCase()
  const known = paths[type].get(key)
  if (known) return known
  const parsed = parsePath(text)
  const found = parsed?.filter === undefined ? parsed && findParsedPath(type, parsed) : undefined
  if (found) paths[type].set(key, found)
  return found
}

/** The attribute of a parsed path. Some directories send attributes of the extension without its URN. */
export const findParsedPath = (type: ResourceType, { urn, name, sub }: Omit<ParsedPath, 'filter'>): ScimPath | undefined => {
  const isCore = urn === undefined || isSameName(urn, CORE_SCHEMAS[type])
  const isExtension = type === 'User' && (urn === undefined || isSameName(urn, ENTERPRISE_SCHEMA))
  const core = isCore ? findAttribute(Schemas[type].definition, name) : undefined
  const attribute = core ?? (isExtension ? findAttribute(Schemas.EnterpriseUser.definition, name) : undefined)
  const part = sub === undefined ? undefined : attribute?.parts.find((one) => isSameName(one.name, sub))
  if (!attribute || (sub !== undefined && !part)) return undefined
  return { extension: core ? undefined : ENTERPRISE_SCHEMA, attribute, sub: part }
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

/** A value of a list that says only what kind of value it is. */
const isWithoutContent = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).every((key) => ['type', 'primary', 'display'].includes(key))

/** Checks a user whose attributes were read by their schemas. */
export const toUserInput = ({ userName, externalId, active, ...rest }: Json): UserInput => {
  checkName('userName', userName)
  const resource = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => {
      const kept = Array.isArray(value) ? value.filter((one) => !isWithoutContent(one)) : value
      return (Array.isArray(kept) || isObject(kept)) && Object.keys(kept).length === 0 ? [] : [[name, kept]]
    }),
  )
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

const readGroupValue = (name: string, value: unknown): unknown => {
  const found = findPath('Group', name)
  return found && readValue(found.attribute, value)
}

/** Validates the name and external id of a group. */
export const toGroupNames = (given: Json): Omit<GroupInput, 'members'> => {
  const displayName = readGroupValue('displayName', given['displayName'])
  const externalId = readGroupValue('externalId', given['externalId'])
  checkName('displayName', displayName)
  const names = { displayName: (displayName as string).trim(), externalId: toExternalId(externalId) }
  if (isUnstorable(JSON.stringify(names))) throw invalidValue('The group has characters that cannot be stored')
  return names
}

export const toGroupInput = (body: Json): GroupInput => ({
  ...toGroupNames({ displayName: getField(body, 'displayName'), externalId: getField(body, 'externalId') }),
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
