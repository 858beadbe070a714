import type { Filter } from 'scim2-parse-filter'
import SCIMMY from 'scimmy'

import { isObject } from '../../../contract/objects.ts'
import { ScimError } from './scim-error.server.ts'
import { parseFilter } from './scim-filter.server.ts'
import {
  ENTERPRISE_SCHEMA,
  findPath,
  getField,
  type Json,
  normalizeBooleans,
  type ResourceType,
  type ScimAttribute,
  type ScimPath,
} from './scim-schemas.server.ts'

// PATCH according to RFC 7644 (section 3.5.2), plus what Entra ID and Okta send beyond the standard: operation names in any case, booleans as text,
// paths as keys of a value, and `replace` for values that do not exist yet.

/** A validated operation. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string | undefined
  readonly value: unknown
}

const MAX_OPERATIONS = 1000

/** Reads the operations of a PATCH; the library validates them. */
export const readOperations = (body: unknown): PatchOperation[] => {
  if (!isObject(body)) throw new ScimError(400, 'The body is no object', 'invalidSyntax')
  try {
    // An empty path counts as missing.
    const given = getField(body, 'Operations')
    const operations = Array.isArray(given)
      ? given.map((one: unknown) => (isObject(one) && (one['path'] === '' || one['path'] === null) ? { ...one, path: undefined } : one))
      : given
    const { Operations } = new SCIMMY.Messages.PatchOp({ schemas: getField(body, 'schemas'), Operations: operations } as never)
    if (Operations.length > MAX_OPERATIONS) throw new ScimError(400, `At most ${MAX_OPERATIONS} operations`, 'invalidValue')
    return Operations.map(({ op, path, value }) => ({ op: op.toLowerCase() as PatchOperation['op'], path, value: value as unknown }))
  } catch (error) {
    if (error instanceof SCIMMY.Types.Error)
      throw new ScimError(400, error.message, (error.scimType as 'invalidValue' | undefined) ?? 'invalidSyntax')
    throw error
  }
}

const invalidPath = (path: string): ScimError => new ScimError(400, `Invalid path ${path.slice(0, 200)}`, 'invalidPath')

interface Target extends ScimPath {
  readonly filter: Filter | undefined
}

/** `emails[type eq "work"].value`: the attribute, the filter of its values, and the sub-attribute. */
const parseTarget = (type: ResourceType, path: string): Target | undefined => {
  const [, attribute = '', filterText, sub] = /^([^[\]]+?)(?:\[(.+)\])?(?:\.([^.[\]]+))?$/s.exec(path) ?? []
  // Without a filter, the first capture group may contain only the part of a URN before the dot of its version.
  const found = findPath(type, filterText === undefined ? path : sub === undefined ? attribute : `${attribute}.${sub}`)
  if (!found) return undefined
  if (filterText === undefined) return { ...found, filter: undefined }
  if (!found.attribute.isMultiValued) throw invalidPath(path)
  try {
    return { ...found, filter: parseFilter(filterText) }
  } catch {
    throw invalidPath(path)
  }
}

const sameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? one.toLowerCase() === other.toLowerCase() : one === other

const getCaseless = (value: Json, name: string): unknown => {
  const key = Object.keys(value).find((one) => one.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : value[key]
}

/** Whether a filter matches a value of a multi-valued attribute. */
const matches = (value: Json, filter: Filter): boolean => {
  if ('filters' in filter)
    return filter.op === 'and' ? filter.filters.every((one) => matches(value, one)) : filter.filters.some((one) => matches(value, one))
  if ('filter' in filter) return !matches(value, filter.filter)
  if ('valFilter' in filter) return false
  const actual = getCaseless(value, filter.attrPath)
  if (!('compValue' in filter)) return actual !== undefined && actual !== null
  const wanted = normalizeBooleans(filter.compValue, filter.attrPath)
  // A value without the attribute is not primary.
  if (filter.op === 'eq') return sameText(actual ?? (wanted === false ? false : undefined), wanted)
  if (filter.op === 'ne') return !sameText(actual, wanted)
  if (typeof actual !== 'string' || typeof wanted !== 'string') return false
  const [text, part] = [actual.toLowerCase(), wanted.toLowerCase()]
  if (filter.op === 'co') return text.includes(part)
  if (filter.op === 'sw') return text.startsWith(part)
  return filter.op === 'ew' && text.endsWith(part)
}

/** The value that a filter describes: `type eq "work"` is `{type: 'work'}`. Undefined for a filter with any other condition. */
const toNewValue = (filter: Filter): Json | undefined => {
  if ('filters' in filter) {
    const parts = filter.op === 'and' ? filter.filters.map(toNewValue) : [undefined]
    return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined
  }
  return filter.op === 'eq' && 'compValue' in filter
    ? { [filter.attrPath]: normalizeBooleans(filter.compValue, filter.attrPath) }
    : undefined
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Converts a single value to a complex attribute: Entra ID sends the manager as a plain id. */
const toComplex = (attribute: ScimAttribute, value: unknown): unknown =>
  attribute.type === 'complex' && (typeof value === 'string' || typeof value === 'number') ? { value: String(value) } : value

/** Applies operations to a resource, in place. */
class Patch {
  readonly #type: ResourceType
  readonly #resource: Json

  constructor(type: ResourceType, resource: Json) {
    this.#type = type
    this.#resource = resource
  }

  apply({ op, path, value }: PatchOperation): void {
    if (path?.toLowerCase() === ENTERPRISE_SCHEMA.toLowerCase())
      return op === 'remove' ? void delete this.#resource[ENTERPRISE_SCHEMA] : this.apply({ op, path: undefined, value: { [path]: value } })
    if (path !== undefined) return this.#applyAt(op, path, value, true)
    if (!isObject(value)) throw new ScimError(400, 'Without a path the value has to be an object', 'invalidValue')
    for (const [key, inner] of Object.entries(value)) {
      // The attributes of an extension, under its URN.
      if (isObject(inner) && key.toLowerCase().startsWith('urn:') && !findPath(this.#type, key))
        for (const [name, part] of Object.entries(inner)) this.#applyAt(op, `${key}:${name}`, part, false)
      else this.#applyAt(op, key, inner, false)
    }
  }

  /** Unknown and read-only attributes are an error only if a path names them, because whole resources are sent with their ids. */
  #applyAt(op: PatchOperation['op'], path: string, value: unknown, isNamed: boolean): void {
    const target = parseTarget(this.#type, path)
    if (!target) {
      if (isNamed) throw invalidPath(path)
      return
    }
    if (target.attribute.isReadOnly || target.attribute.name === 'schemas' || target.attribute.name === 'meta') {
      if (isNamed) throw new ScimError(400, `${target.attribute.name} cannot be changed`, 'mutability')
      return
    }
    const holder = this.#getHolder(target)
    const { attribute, sub, filter } = target
    const normalized = normalizeBooleans(value, sub?.name ?? attribute.name)
    if (filter !== undefined) this.#applyToValues(op, holder, { ...target, filter }, normalized, path)
    else if (attribute.isMultiValued) this.#applyToList(op, holder, target, normalized)
    else if (sub) this.#applyToPart(op, holder, attribute.name, sub.name, normalized)
    else this.#applyToSingle(op, holder, attribute, normalized)
  }

  #getHolder({ extension }: ScimPath): Json {
    if (extension === undefined) return this.#resource
    const held = this.#resource[extension]
    if (isObject(held)) return held
    const made: Json = {}
    this.#resource[extension] = made
    return made
  }

  #applyToSingle(op: PatchOperation['op'], holder: Json, attribute: ScimAttribute, given: unknown): void {
    const { name } = attribute
    const value = toComplex(attribute, given)
    if (op === 'remove' || value === null || value === undefined) delete holder[name]
    else holder[name] = isObject(value) && isObject(holder[name]) ? { ...holder[name], ...value } : value
  }

  #applyToPart(op: PatchOperation['op'], holder: Json, name: string, part: string, value: unknown): void {
    const held = isObject(holder[name]) ? { ...holder[name] } : {}
    if (op === 'remove' || value === null) delete held[part]
    else held[part] = value
    if (Object.keys(held).length === 0) delete holder[name]
    else holder[name] = held
  }

  #applyToList(op: PatchOperation['op'], holder: Json, { attribute: { name }, sub }: Target, value: unknown): void {
    const held = Array.isArray(holder[name]) ? (holder[name] as unknown[]) : []
    if (sub) {
      const changed = held.filter(isObject).map((one) => {
        const { [sub.name]: _removed, ...rest } = one
        return op === 'remove' ? rest : { ...one, [sub.name]: value }
      })
      return setList(holder, name, changed.length === 0 && op !== 'remove' ? [{ [sub.name]: value }] : changed)
    }
    const values = value === undefined || value === null ? [] : [value].flat().map((one) => (isObject(one) ? one : { value: one }))
    if (op === 'replace') return setList(holder, name, values)
    if (op === 'add') return setList(holder, name, [...held, ...values.filter((one) => !held.some((other) => isSame(one, other)))])
    const isRemoved = (one: unknown): boolean =>
      value === undefined || values.some((other) => isObject(one) && Object.entries(other).every(([key, part]) => sameText(one[key], part)))
    setList(
      holder,
      name,
      held.filter((one) => !isRemoved(one)),
    )
  }

  #applyToValues(
    op: PatchOperation['op'],
    holder: Json,
    { attribute: { name }, sub, filter }: Target & { readonly filter: Filter },
    value: unknown,
    path: string,
  ): void {
    const held = (Array.isArray(holder[name]) ? (holder[name] as unknown[]) : []).filter(isObject)
    if (op === 'remove' && !sub)
      return setList(
        holder,
        name,
        held.filter((one) => !matches(one, filter)),
      )
    const isClearing = op === 'remove' || value === null
    const change = (one: Json): Json => {
      if (!sub) return isObject(value) ? { ...one, ...value } : { ...one, value }
      const { [sub.name]: _removed, ...rest } = one
      return isClearing ? rest : { ...rest, [sub.name]: value }
    }
    if (held.some((one) => matches(one, filter)))
      return setList(
        holder,
        name,
        // A value without `value` means nothing, so it is removed.
        held.map((one) => (matches(one, filter) ? change(one) : one)).filter((one) => !(isClearing && one['value'] === undefined)),
      )
    if (isClearing) return
    const made = toNewValue(filter)
    if (!made) throw new ScimError(400, `No value matches ${path.slice(0, 200)}`, 'noTarget')
    setList(holder, name, [...held, change(made)])
  }
}

/** An empty list means that the attribute is missing. */
const setList = (holder: Json, name: string, values: readonly unknown[]): void => {
  if (values.length === 0) delete holder[name]
  else holder[name] = values
}

/** A resource with the operations applied in order. */
export const applyOperations = (type: ResourceType, resource: Json, operations: readonly PatchOperation[]): Json => {
  const patched = structuredClone(resource)
  const patch = new Patch(type, patched)
  for (const operation of operations) patch.apply(operation)
  return patched
}
