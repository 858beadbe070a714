import type { VcardProperty } from '../../../contract/vcard.ts'
import { DavError } from './dav-error.server.ts'
import { CARDDAV, findChild, isElement, listChildren, type XmlElement } from './dav-xml.server.ts'

// The filters of `addressbook-query` (RFC 6352, section 10.5).

type Test<T> = (value: T) => boolean

const toFolded = (text: string): string => text.normalize('NFKC').toLowerCase()
const toAsciiFolded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** How texts are compared; the server need not know others. */
export const COLLATIONS: Readonly<Record<string, (text: string) => string>> = {
  'i;ascii-casemap': toAsciiFolded,
  'i;unicode-casemap': toFolded,
  'i;octet': (text) => text,
}
const DEFAULT_COLLATION = 'i;unicode-casemap'

const MATCHES: Readonly<Record<string, (text: string, searched: string) => boolean>> = {
  equals: (text, searched) => text === searched,
  contains: (text, searched) => text.includes(searched),
  'starts-with': (text, searched) => text.startsWith(searched),
  'ends-with': (text, searched) => text.endsWith(searched),
}

const unsupported = (detail: string): DavError => new DavError(403, 'This filter is not supported', 'C:supported-filter', detail)

const getOwn = <T>(values: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** `anyof`, which is the default, or `allof`. */
const combine = <T>(element: XmlElement, tests: readonly Test<T>[]): Test<T> => {
  const test = element.attributes.get('test') ?? 'anyof'
  if (test !== 'anyof' && test !== 'allof') throw unsupported(`test is anyof or allof, not ${test}`)
  return test === 'anyof' ? (value) => tests.some((passes) => passes(value)) : (value) => tests.every((passes) => passes(value))
}

const readTextMatch = (element: XmlElement): Test<string> => {
  const name = element.attributes.get('collation') ?? DEFAULT_COLLATION
  const fold = name === 'default' ? COLLATIONS[DEFAULT_COLLATION] : getOwn(COLLATIONS, name)
  if (!fold) throw new DavError(403, 'This collation is not supported', 'C:supported-collation', name)
  const matchType = element.attributes.get('match-type') ?? 'contains'
  const matches = getOwn(MATCHES, matchType)
  if (!matches) throw unsupported(`match-type ${matchType}`)
  const isNegated = element.attributes.get('negate-condition') === 'yes'
  const searched = fold(element.text)
  return (text) => matches(fold(text), searched) !== isNegated
}

const readParamFilter = (element: XmlElement): Test<VcardProperty> => {
  const name = (element.attributes.get('name') ?? '').toUpperCase()
  const getValues = ({ parameters }: VcardProperty): readonly string[] => getOwn(parameters, name) ?? []
  if (findChild(element, CARDDAV, 'is-not-defined')) return (property) => getValues(property).length === 0
  const match = findChild(element, CARDDAV, 'text-match')
  if (!match) return (property) => getValues(property).length > 0
  const passes = readTextMatch(match)
  return (property) => getValues(property).some(passes)
}

/** A property's conditions: each is about one and the same property with `allof`. */
const readPropFilter = (element: XmlElement): Test<readonly VcardProperty[]> => {
  // A group before the name, such as `item1.`, is never ours.
  const name = (element.attributes.get('name') ?? '').toUpperCase().replace(/^.*\./, '')
  const listNamed = (properties: readonly VcardProperty[]) => properties.filter((property) => property.name === name)
  if (findChild(element, CARDDAV, 'is-not-defined')) return (properties) => listNamed(properties).length === 0
  const conditions = [
    ...listChildren(element, CARDDAV, 'text-match').map((child): Test<VcardProperty> => {
      const passes = readTextMatch(child)
      return ({ text }) => passes(text)
    }),
    ...listChildren(element, CARDDAV, 'param-filter').map(readParamFilter),
  ]
  if (conditions.length === 0) return (properties) => listNamed(properties).length > 0
  const passes = combine(element, conditions)
  return (properties) => listNamed(properties).some(passes)
}

const MAX_CONDITIONS = 200

/** The filter of a query; without conditions it finds everything. */
export const readFilter = (query: XmlElement): Test<readonly VcardProperty[]> => {
  const element = findChild(query, CARDDAV, 'filter')
  const filters = (element?.children ?? []).filter((child) => isElement(child, CARDDAV, 'prop-filter'))
  if (!element || filters.length === 0) return () => true
  const count = filters.reduce((sum, { children }) => sum + Math.max(1, children.length), 0)
  if (count > MAX_CONDITIONS) throw unsupported(`It has more than ${MAX_CONDITIONS} conditions`)
  return combine(element, filters.map(readPropFilter))
}
