import { type RawBuilder, sql } from 'kysely'
import { type AttrExp, type Compare, type Filter, parse } from 'scim2-parse-filter'

import { ScimError } from './scim-error.server.ts'
import { findPath, type ResourceType, type ScimPath } from './scim-schemas.server.ts'
import type { ScimAttribute } from './scim-values.server.ts'

/** No directory sends longer filters, and parsing them would only cost time. */
const MAX_FILTER_LENGTH = 2000
const MAX_COMPARISONS = 50

const invalidFilter = (detail: string): ScimError => new ScimError(400, detail, 'invalidFilter')

/** An unterminated string ends with the filter, so that no quote is scanned twice. */
const QUOTED_OR_OPERATOR = /"(?:[^"\\]|\\.)*"?|\b(?:and|or|not|eq|ne|co|sw|ew|gt|ge|lt|le|pr|true|false|null)\b/gi
/** Operators are case-insensitive; the parser accepts only lower case. */
const toLowerCaseOperators = (text: string): string =>
  text.replaceAll(QUOTED_OR_OPERATOR, (found) => (found.startsWith('"') ? found : found.toLowerCase()))

/** Parses a filter (RFC 7644, section 3.4.2.2). Throws 400 for any other text. */
export const parseFilter = (text: string): Filter => {
  if (text.length > MAX_FILTER_LENGTH) throw invalidFilter(`A filter may have ${MAX_FILTER_LENGTH} characters`)
  if (text.includes('\0') || !text.isWellFormed()) throw invalidFilter('The filter has characters that are not allowed')
  try {
    const filter = parse(toLowerCaseOperators(text))
    if (countComparisons(filter) > MAX_COMPARISONS) throw invalidFilter(`A filter may have ${MAX_COMPARISONS} comparisons`)
    return filter
  } catch (error) {
    if (error instanceof ScimError) throw error
    throw invalidFilter('The filter is not valid')
  }
}

const countComparisons = (filter: Filter): number => {
  if ('filters' in filter) return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0)
  if ('valFilter' in filter) return countComparisons(filter.valFilter)
  return 'filter' in filter ? countComparisons(filter.filter) : 1
}

type Condition = RawBuilder<boolean>

const columnOf = (name: string): RawBuilder<unknown> => sql.ref(`item.${name}`)

/** Attributes that are columns; all others are in `resource`. */
const COLUMNS: Readonly<Record<ResourceType, Readonly<Record<string, RawBuilder<unknown>>>>> = {
  User: {
    id: sql`${columnOf('_id')}::text`,
    userName: columnOf('userName'),
    externalId: columnOf('externalId'),
    active: columnOf('active'),
    'meta.created': columnOf('createdAt'),
    'meta.lastModified': columnOf('updatedAt'),
  },
  Group: {
    id: sql`${columnOf('_id')}::text`,
    displayName: columnOf('displayName'),
    externalId: columnOf('externalId'),
    'meta.created': columnOf('createdAt'),
    'meta.lastModified': columnOf('updatedAt'),
  },
}

const SELF: ScimAttribute = {
  name: 'value',
  type: 'string',
  isMultiValued: false,
  isCaseExact: false,
  isReadOnly: false,
  isRequired: false,
  parts: [],
}
const membership = (type: ResourceType) => (type === 'User' ? { key: 'group', of: 'user' } : { key: 'user', of: 'group' })

/** Compiles filters on users or groups to SQL conditions on a table named `item`. */
class FilterCompiler {
  readonly #type: ResourceType

  constructor(type: ResourceType) {
    this.#type = type
  }

  compile(filter: Filter): Condition {
    if ('filters' in filter) return this.#join(filter.op, filter.filters)
    if ('filter' in filter) return sql<boolean>`not ${this.compile(filter.filter)}`
    if ('valFilter' in filter) return this.#anyValue(this.#path(filter.attrPath), (value) => compileInner(filter.valFilter, value))
    return this.#compare(filter)
  }

  #join(op: 'and' | 'or', filters: readonly Filter[]): Condition {
    // The parser reads `emails[type eq "work"].value eq "x"` as two conditions; both apply to the same value.
    const [first, second, ...more] = filters
    if (
      op === 'and' &&
      first &&
      second &&
      'valFilter' in first &&
      'attrPath' in second &&
      second.attrPath.startsWith(`${first.attrPath}.`)
    ) {
      const sub = { ...second, attrPath: second.attrPath.slice(first.attrPath.length + 1) } as Filter
      const both = this.#anyValue(this.#path(first.attrPath), (value) =>
        joinConditions('and', [compileInner(first.valFilter, value), compileInner(sub, value)]),
      )
      return joinConditions('and', [both, ...more.map((one) => this.compile(one))])
    }
    return joinConditions(
      op,
      filters.map((one) => this.compile(one)),
    )
  }

  #path(text: string): ScimPath {
    const path = findPath(this.#type, text)
    if (!path) throw invalidFilter(`Unknown attribute ${text.slice(0, 100)}`)
    return path
  }

  #compare(filter: AttrExp): Condition {
    const { attribute, sub: named, extension } = this.#path(filter.attrPath)
    // Entra ID asks for `manager eq "…"`: the `value` is meant.
    const sub = named ?? (attribute.isMultiValued ? undefined : attribute.parts.find(({ name }) => name === 'value'))
    if (attribute.isMultiValued)
      return this.#anyValue({ extension, attribute, sub: undefined }, (value) =>
        compareValue(filter, toSub(value, sub?.name ?? 'value'), sub ?? SELF),
      )
    const column = COLUMNS[this.#type][sub ? `${attribute.name}.${sub.name}` : attribute.name]
    if (column) return compareValue(filter, column, sub ?? attribute)
    const path = [extension, attribute.name, sub?.name].filter((key) => key !== undefined)
    return compareValue(filter, sql`${columnOf('resource')} #>> ${path}::text[]`, sub ?? attribute)
  }

  /** True if any value of a multi-valued attribute meets a condition. */
  #anyValue({ attribute, sub, extension }: ScimPath, condition: (value: RawBuilder<unknown>) => Condition): Condition {
    if (!attribute.isMultiValued || sub) throw invalidFilter(`${attribute.name} has no values to choose from`)
    const value = sql`value`
    const { key, of } = membership(this.#type)
    if (attribute.name === 'members' || attribute.name === 'groups')
      return sql<boolean>`exists (select from (
        select jsonb_build_object('value', held.${sql.ref(key)}::text) as value from directory_membership as held where held.${sql.ref(of)} = item._id) as held_values
        where ${condition(value)})`
    const path = [extension, attribute.name].filter((one) => one !== undefined)
    return sql<boolean>`exists (select from jsonb_array_elements(coalesce(${columnOf('resource')} #> ${path}::text[], '[]')) as value where ${condition(value)})`
  }
}

const toSub = (value: RawBuilder<unknown>, name: string): RawBuilder<unknown> => sql`${value} ->> ${name}::text`

/** A condition on one value of a multi-valued attribute. */
const compileInner = (filter: Filter, value: RawBuilder<unknown>): Condition => {
  if ('filters' in filter)
    return joinConditions(
      filter.op,
      filter.filters.map((one) => compileInner(one, value)),
    )
  if ('valFilter' in filter) throw invalidFilter('A filter within a filter is not possible here')
  if ('filter' in filter) return sql<boolean>`not ${compileInner(filter.filter, value)}`
  const name = filter.attrPath
  const known = ['value', 'type', 'primary', 'display', '$ref'].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
  return compareValue(filter, toSub(value, known), { ...SELF, type: known === 'primary' ? 'boolean' : 'string' })
}

const joinConditions = (op: 'and' | 'or', conditions: readonly Condition[]): Condition =>
  sql<boolean>`(${sql.join(conditions, op === 'and' ? sql` and ` : sql` or `)})`

const ORDER: Readonly<Record<string, RawBuilder<unknown>>> = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

const compareValue = (filter: AttrExp, value: RawBuilder<unknown>, attribute: ScimAttribute): Condition => {
  if (!('compValue' in filter)) return sql<boolean>`(${value} is not null)`
  const { op, compValue } = filter
  if (compValue === null) return op === 'ne' ? sql<boolean>`(${value} is not null)` : sql<boolean>`(${value} is null)`
  if (attribute.type === 'boolean') return compareBoolean(op, value, compValue)
  if (attribute.type === 'dateTime') return compareMoment(op, value, compValue)
  if (attribute.type === 'complex') throw invalidFilter(`${attribute.name} has parts: name one of them`)
  const wanted = String(compValue)
  const [left, right] = attribute.isCaseExact ? [sql`${value}`, sql`${wanted}::text`] : [sql`lower(${value})`, sql`lower(${wanted}::text)`]
  switch (op) {
    case 'eq':
      return sql<boolean>`(coalesce(${left} = ${right}, false))`
    case 'ne':
      return sql<boolean>`(${left} is distinct from ${right})`
    case 'co':
      return sql<boolean>`(coalesce(strpos(${left}, ${right}) > 0, false))`
    case 'sw':
      return sql<boolean>`(coalesce(starts_with(${left}, ${right}), false))`
    case 'ew':
      return sql<boolean>`(coalesce(right(${left}, length(${right})) = ${right}, false))`
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return sql<boolean>`(coalesce(${left} collate "C" ${ORDER[op]} ${right}, false))`
  }
}

const compareBoolean = (op: Compare['op'], value: RawBuilder<unknown>, compValue: unknown): Condition => {
  const wanted = String(compValue).toLowerCase()
  if ((wanted !== 'true' && wanted !== 'false') || (op !== 'eq' && op !== 'ne'))
    throw invalidFilter('A boolean can be eq or ne true or false')
  const isEqual = sql`(${value}::text is not distinct from ${wanted}::text)`
  return op === 'eq' ? sql<boolean>`(${isEqual})` : sql<boolean>`(not ${isEqual})`
}

const compareMoment = (op: Compare['op'], value: RawBuilder<unknown>, compValue: unknown): Condition => {
  const wanted = typeof compValue === 'string' && /^\d{4}-/.test(compValue) ? new Date(compValue) : undefined
  if (!wanted || Number.isNaN(wanted.getTime())) throw invalidFilter('A time is an ISO 8601 text')
  // Responses have milliseconds.
  const moment = sql`date_trunc('milliseconds', ${value})`
  if (op === 'eq') return sql<boolean>`(${moment} = ${wanted})`
  if (op === 'ne') return sql<boolean>`(${moment} <> ${wanted})`
  const order = ORDER[op]
  if (!order) throw invalidFilter(`A moment cannot be compared by ${op}`)
  return sql<boolean>`(${moment} ${order} ${wanted})`
}

/** A filter as a condition on the table `item`. */
export const compileFilter = (type: ResourceType, filter: Filter): Condition => new FilterCompiler(type).compile(filter)

/** The sort expression for a single-valued attribute. */
export const compileSort = (type: ResourceType, text: string): RawBuilder<unknown> => {
  const path = findPath(type, text)
  if (!path || path.attribute.isMultiValued || (path.attribute.type === 'complex' && !path.sub)) throw invalidValueOfSort(text)
  const { attribute, sub, extension } = path
  const column = COLUMNS[type][sub ? `${attribute.name}.${sub.name}` : attribute.name]
  const keys = [extension, attribute.name, sub?.name].filter((key) => key !== undefined)
  const value = column ?? sql`${columnOf('resource')} #>> ${keys}::text[]`
  return (sub ?? attribute).type === 'string' && !(sub ?? attribute).isCaseExact ? sql`lower(${value}) collate "C"` : value
}

const invalidValueOfSort = (text: string): ScimError =>
  new ScimError(400, `Lists cannot be sorted by ${text.slice(0, 100)}`, 'invalidValue')
