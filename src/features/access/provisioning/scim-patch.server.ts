import type { Filter } from 'scim2-parse-filter'

import { isObject, sortKeys } from '../../../contract/objects.ts'
import { invalidValue, ScimError } from './scim-error.server.ts'
import { parseFilter } from './scim-filter.server.ts'
import { ENTERPRISE_SCHEMA, findParsedPath, getField, parsePath, type ResourceType, type ScimPath } from './scim-schemas.server.ts'
import { readSingle, readValue, type Json, type ScimAttribute } from './scim-values.server.ts'

// PATCH according to RFC 7644 (section 3.5.2), plus what Entra ID and Okta send beyond the standard: operation names in any case, paths as keys of a
// value, `replace` for values that do not exist yet, and attributes that no schema has. A POST and a PUT are read as the PATCH of an empty resource.

/** A validated operation. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string | undefined
  readonly value: unknown
}

const MAX_OPERATIONS = 1000
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const OPERATIONS = ['add', 'remove', 'replace'] as const

/** Reads the operations of a PATCH. Some clients leave out `schemas`, or send one operation without a list. */
export const readOperations = (body: unknown): PatchOperation[] => {
  if (!isObject(body)) throw new ScimError(400, 'The body is not an object', 'invalidSyntax')
  const schemas = [getField(body, 'schemas') ?? []].flat()
  if (schemas.length > 0 && !schemas.some((one) => sameText(one, PATCH_SCHEMA)))
    throw new ScimError(400, `The schema of a PATCH is ${PATCH_SCHEMA}`, 'invalidSyntax')
  const operations = [getField(body, 'Operations') ?? []].flat()
  if (operations.length === 0) throw invalidValue('There are no operations')
  if (operations.length > MAX_OPERATIONS) throw invalidValue(`At most ${MAX_OPERATIONS} operations`)
  return operations.map(readOperation)
}

const readOperation = (operation: unknown): PatchOperation => {
  if (!isObject(operation)) throw invalidValue('An operation is an object')
  const op = OPERATIONS.find((name) => sameText(name, getField(operation, 'op')))
  if (!op) throw new ScimError(400, `An operation is one of ${OPERATIONS.join(', ')}`, 'invalidSyntax')
  // An empty path counts as missing.
  const path = getField(operation, 'path') || undefined
  const value = getField(operation, 'value')
  if (path !== undefined && typeof path !== 'string') throw new ScimError(400, 'A path is a text', 'invalidPath')
  if (op === 'add' && value === undefined) throw invalidValue('An operation that adds needs a value')
  if (op === 'remove' && path === undefined) throw new ScimError(400, 'An operation that removes needs a path', 'noTarget')
  return { op, path, value }
}

export const invalidPath = (path: string): ScimError => new ScimError(400, `Invalid path ${path.slice(0, 200)}`, 'invalidPath')

interface Target extends ScimPath {
  readonly filter: Filter | undefined
}

/**
 * `emails[type eq "work"].value`: the attribute, the filter of its values, and the sub-attribute. Undefined for an attribute, or a part of one, that no
 * schema has: it is left out, in a PATCH as in a POST. Throws for a path that is not well-formed, or that looks for parts where there are none.
 */
export const parseTarget = (type: ResourceType, path: string): Target | undefined => {
  const parsed = parsePath(path)
  if (!parsed) throw invalidPath(path)
  const whole = findParsedPath(type, { ...parsed, sub: undefined })
  if (!whole) return undefined
  if (parsed.sub !== undefined && whole.attribute.type !== 'complex') throw invalidPath(path)
  const found = findParsedPath(type, parsed)
  if (!found || parsed.filter === undefined) return found && { ...found, filter: undefined }
  if (!found.attribute.isMultiValued) throw invalidPath(path)
  try {
    return { ...found, filter: parseFilter(parsed.filter) }
  } catch {
    throw invalidPath(path)
  }
}

const sameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? one.toLowerCase() === other.toLowerCase() : one === other

/** Entra ID asks for `primary eq "True"`. */
const toCompared = (value: unknown, name: string): unknown =>
  sameText(name, 'primary') && typeof value === 'string' ? sameText(value, 'true') : value

/** Whether a filter matches a value of a multi-valued attribute. */
const matches = (value: Json, filter: Filter): boolean => {
  if ('filters' in filter)
    return filter.op === 'and' ? filter.filters.every((one) => matches(value, one)) : filter.filters.some((one) => matches(value, one))
  if ('filter' in filter) return !matches(value, filter.filter)
  if ('valFilter' in filter) return false
  const actual = getField(value, filter.attrPath)
  if (!('compValue' in filter)) return actual !== undefined && actual !== null
  const wanted = toCompared(filter.compValue, filter.attrPath)
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
  return filter.op === 'eq' && 'compValue' in filter ? { [filter.attrPath]: filter.compValue } : undefined
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys)

/** Applies operations to a resource, in place. */
class Patch {
  readonly #type: ResourceType
  readonly #resource: Json

  constructor(type: ResourceType, resource: Json) {
    this.#type = type
    this.#resource = resource
  }

  apply({ op, path, value }: PatchOperation): void {
    if (sameText(path, ENTERPRISE_SCHEMA))
      return op === 'remove'
        ? void delete this.#resource[ENTERPRISE_SCHEMA]
        : this.apply({ op, path: undefined, value: { [ENTERPRISE_SCHEMA]: value } })
    if (path !== undefined) return this.#applyNamed(op, path, value)
    if (!isObject(value)) throw invalidValue('Without a path the value has to be an object')
    for (const [key, inner] of Object.entries(value)) {
      // The attributes of an extension, under its URN.
      if (sameText(key, ENTERPRISE_SCHEMA) && isObject(inner))
        for (const [name, part] of Object.entries(inner)) this.#applyKey(op, `${key}:${name}`, part)
      else this.#applyKey(op, key, inner)
    }
  }

  #applyNamed(op: PatchOperation['op'], path: string, value: unknown): void {
    const target = parseTarget(this.#type, path)
    if (!target) return
    if (isFixed(target.attribute)) throw new ScimError(400, `${target.attribute.name} cannot be changed`, 'mutability')
    this.#applyAt(op, target, value, path)
  }

  /** What cannot be changed is an error only in a path: whole resources are sent with their ids. */
  #applyKey(op: PatchOperation['op'], key: string, value: unknown): void {
    const target = parsePath(key) && parseTarget(this.#type, key)
    if (target && !isFixed(target.attribute)) this.#applyAt(op, target, value, key)
  }

  #applyAt(op: PatchOperation['op'], target: Target, value: unknown, path: string): void {
    const holder = this.#getHolder(target)
    const { attribute, sub, filter } = target
    if (filter !== undefined) this.#applyToValues(op, holder, { ...target, filter }, value, path)
    else if (attribute.isMultiValued && sub) this.#applyToParts(op, holder, attribute.name, sub, value)
    else if (attribute.isMultiValued) this.#applyToList(op, holder, attribute, value)
    else if (sub) this.#applyToPart(op, holder, attribute.name, sub, value)
    else this.#applyToSingle(op, holder, attribute, value)
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
    const value = op === 'remove' ? undefined : readValue(attribute, given)
    if (value === undefined) delete holder[name]
    else holder[name] = isObject(value) && isObject(holder[name]) ? { ...holder[name], ...value } : value
  }

  #applyToPart(op: PatchOperation['op'], holder: Json, name: string, part: ScimAttribute, given: unknown): void {
    const held = setPart(isObject(holder[name]) ? holder[name] : {}, part, op === 'remove' ? undefined : readValue(part, given))
    if (Object.keys(held).length === 0) delete holder[name]
    else holder[name] = held
  }

  #applyToParts(op: PatchOperation['op'], holder: Json, name: string, part: ScimAttribute, given: unknown): void {
    const value = op === 'remove' ? undefined : readValue(part, given)
    const held = listHeld(holder, name)
    setList(
      holder,
      name,
      (held.length === 0 && value !== undefined ? [{}] : held).map((one) => setPart(one, part, value)),
    )
  }

  #applyToList(op: PatchOperation['op'], holder: Json, attribute: ScimAttribute, given: unknown): void {
    const { name } = attribute
    const held = listHeld(holder, name)
    const values = (readValue(attribute, given) ?? []) as Json[]
    if (op === 'replace') return setList(holder, name, values)
    if (op === 'add') return setList(holder, name, [...held, ...values.filter((one) => !held.some((other) => isSame(one, other)))])
    const isRemoved = (one: Json): boolean =>
      given === undefined || values.some((other) => Object.entries(other).every(([key, part]) => sameText(one[key], part)))
    setList(
      holder,
      name,
      held.filter((one) => !isRemoved(one)),
    )
  }

  #applyToValues(
    op: PatchOperation['op'],
    holder: Json,
    { attribute, sub, filter }: Target & { readonly filter: Filter },
    given: unknown,
    path: string,
  ): void {
    const { name } = attribute
    const held = listHeld(holder, name)
    const value = op === 'remove' ? undefined : readSingle(sub ?? attribute, given)
    const change = (one: Json): Json[] => {
      if (sub) return [setPart(one, sub, value)]
      return value === undefined ? [] : [{ ...one, ...(value as Json) }]
    }
    if (held.some((one) => matches(one, filter)))
      return setList(
        holder,
        name,
        held.flatMap((one) => (matches(one, filter) ? change(one) : [one])),
      )
    if (value === undefined) return
    const made = toNewValue(filter)
    if (!made) throw new ScimError(400, `No value matches ${path.slice(0, 200)}`, 'noTarget')
    setList(holder, name, [...held, ...change((readSingle(attribute, made) ?? {}) as Json)])
  }
}

/** `schemas` and `meta` are derived, other attributes are read-only. */
const isFixed = ({ name, isReadOnly }: ScimAttribute): boolean => isReadOnly || name === 'schemas' || name === 'meta'

const listHeld = (holder: Json, name: string): Json[] => (Array.isArray(holder[name]) ? holder[name].filter(isObject) : [])

const setPart = (held: Json, { name }: ScimAttribute, value: unknown): Json => {
  const { [name]: _before, ...rest } = held
  return value === undefined ? rest : { ...rest, [name]: value }
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

/** The resource in the body of a POST or a PUT. */
export const readResource = (type: ResourceType, body: Json): Json =>
  applyOperations(type, {}, [{ op: 'add', path: undefined, value: body }])
