import { isObject } from '../../../contract/objects.ts'
import { invalidValue } from './scim-error.server.ts'

export type Json = Record<string, unknown>

/** An attribute of a schema. */
export interface ScimAttribute {
  /** Its spelling in the schema. */
  readonly name: string
  readonly type: string
  readonly isMultiValued: boolean
  readonly isCaseExact: boolean
  readonly isReadOnly: boolean
  readonly isRequired: boolean
  /** The sub-attributes of a complex attribute. */
  readonly parts: readonly ScimAttribute[]
}

// Directories send one value in many forms. A value is read as its schema declares the attribute, in a request of any kind:
//
// - null, an empty text, list or object is not a value; but a boolean that is sent has to be one, because `active` decides about access
// - a list of one is its value where the schema has a single value, and a single value is a list of one where it has several
// - a text is the `value` of an object (or `formatted`, in names and addresses), also if it contains the object as JSON
// - an object is its `value` where the schema has a text or a boolean
// - numbers are texts, except in names that are required; "True" and "False" are booleans
// - names of parts are read in any case, and parts that the schema does not have are left out

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** The value of an attribute; undefined if it has none. Throws 400 for a value of another type. */
export const readValue = (attribute: ScimAttribute, given: unknown): unknown => {
  if (!attribute.isMultiValued) return readSingle(attribute, given)
  const values = isEmpty(given) ? [] : [given].flat().flatMap((one) => readSingle(attribute, one) ?? [])
  return values.length === 0 ? undefined : values
}

/** A single value, also one of an attribute with several. */
export const readSingle = (attribute: ScimAttribute, given: unknown): unknown => {
  if (Array.isArray(given) && given.length > 1) throw invalidValue(`${attribute.name} has a single value`)
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (value === null || value === undefined) return undefined
  if (attribute.type === 'complex') return isEmpty(value) ? undefined : readParts(attribute, toParts(attribute, value))
  const simple = isObject(value) && 'value' in value ? value['value'] : value
  return attribute.type === 'boolean' ? readBoolean(attribute, simple) : readText(attribute, simple)
}

/** The object that a text stands for. */
const toParts = ({ name, parts }: ScimAttribute, value: unknown): Json => {
  const json = isObject(value) ? value['value'] : value
  const parsed = typeof json === 'string' && json.startsWith('{') ? parseObject(json) : undefined
  if (parsed) return parsed
  if (isObject(value)) return value
  const part = ['value', 'formatted'].find((one) => parts.some((known) => known.name === one))
  if (part === undefined || (typeof value !== 'string' && typeof value !== 'number')) throw invalidValue(`${name} is an object`)
  return { [part]: value }
}

const parseObject = (json: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const readParts = ({ parts }: ScimAttribute, value: Json): Json | undefined => {
  const read: Json = {}
  for (const [name, inner] of Object.entries(value)) {
    const part = parts.find((one) => one.name.toLowerCase() === name.toLowerCase())
    const known = part && readValue(part, inner)
    if (part && known !== undefined) read[part.name] = known
  }
  return isEmpty(read) ? undefined : read
}

const readBoolean = ({ name }: ScimAttribute, value: unknown): boolean | undefined => {
  if (value === null) return undefined
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalidValue(`${name} is true or false`)
}

const readText = ({ name, isRequired }: ScimAttribute, value: unknown): string | undefined => {
  if (isEmpty(value)) return undefined
  if (typeof value === 'number' && !isRequired) return String(value)
  if (typeof value !== 'string') throw invalidValue(`${name} is a text`)
  return value
}
