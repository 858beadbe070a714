import type { FastifyRequest } from 'fastify'

import { VCARD_VERSIONS, type VcardVersion } from '../../../contract/vcard.ts'
import { DavError, invalidXml } from './dav-error.server.ts'
import { CARDDAV, DAV, findChild, isElement, listChildren, parseXml, type XmlElement } from './dav-xml.server.ts'

/** The name of a property. */
export interface PropertyName {
  readonly uri: string
  readonly name: string
}

/** The cards that a report wants: in which version, and with which of their properties; null for all. */
export interface AddressDataRequest {
  readonly version: VcardVersion
  readonly only: ReadonlySet<string> | null
}

/** The properties that a request names; `all` for those that the server chooses, `names` for only what they are called. */
export interface PropertyRequest {
  readonly kind: 'named' | 'all' | 'names'
  readonly properties: readonly PropertyName[]
  readonly addressData: AddressDataRequest | null
}

const isVersion = (text: string): text is VcardVersion => VCARD_VERSIONS.some((version) => version === text)

/** The version that an Accept header prefers; 3.0 if it names none, and an error if it only names others. */
export const getAcceptedVersion = (accept: string | undefined): VcardVersion => {
  const ranges = (accept ?? '').split(',').flatMap((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const values = new Map(
      parameters.map((parameter) => parameter.split('=').map((part) => part.trim().replaceAll('"', '')) as [string, string]),
    )
    const quality = Number(values.get('q') ?? 1)
    return type === '' || quality === 0 ? [] : [{ type, version: values.get('version'), quality }]
  })
  const cards = ranges.filter(({ type }) => type === 'text/vcard').toSorted((a, b) => b.quality - a.quality)
  const [found] = cards.flatMap(({ version = '3.0' }) => (isVersion(version) ? [version] : []))
  if (found !== undefined) return found
  if (cards.length > 0 && cards.length === ranges.length)
    throw new DavError(406, 'Cards are vCard 3.0 or 4.0', 'C:supported-address-data-conversion')
  return '3.0'
}

const readAddressData = (element: XmlElement, accept: string | undefined): AddressDataRequest => {
  const type = element.attributes.get('content-type') ?? 'text/vcard'
  const version = element.attributes.get('version') ?? (element.attributes.has('content-type') ? '3.0' : getAcceptedVersion(accept))
  if (type.toLowerCase() !== 'text/vcard' || !isVersion(version))
    throw new DavError(403, 'Cards are vCard 3.0 or 4.0', 'C:supported-address-data', `${type} ${version}`)
  const named = listChildren(element, CARDDAV, 'prop').map((child) => (child.attributes.get('name') ?? '').toUpperCase())
  return { version, only: named.length === 0 ? null : new Set(named) }
}

/** The properties that the root of a request asks for. */
export const readProperties = (root: XmlElement, accept: string | undefined): PropertyRequest => {
  const prop = findChild(root, DAV, 'prop')
  if (!prop) return { kind: findChild(root, DAV, 'propname') ? 'names' : 'all', properties: [], addressData: null }
  const data = findChild(prop, CARDDAV, 'address-data')
  return { kind: 'named', properties: prop.children, addressData: data ? readAddressData(data, accept) : null }
}

/** The body as XML; null if there is none. */
export const readXmlBody = async (request: FastifyRequest): Promise<XmlElement | null> => {
  const { body } = request
  if (!Buffer.isBuffer(body) || body.length === 0) return null
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  if (text.includes('\uFFFD') || text.includes('\0')) throw invalidXml('It is not UTF-8')
  return parseXml(text)
}

/** The root of a PROPFIND; without a body it asks for all properties. */
export const readPropfind = async (request: FastifyRequest): Promise<PropertyRequest> => {
  const root = await readXmlBody(request)
  if (root && !isElement(root, DAV, 'propfind')) throw invalidXml('It is not a propfind')
  return root ? readProperties(root, request.headers.accept) : { kind: 'all', properties: [], addressData: null }
}

/** 0 or 1; an infinite depth is refused, and a missing one is 0. */
export const getDepth = (request: FastifyRequest): 0 | 1 => {
  const depth = request.headers['depth'] ?? '0'
  if (depth === '0' || depth === '1') return Number(depth) as 0 | 1
  if (String(depth).toLowerCase() === 'infinity') throw new DavError(403, 'Depth is 0 or 1', 'D:propfind-finite-depth')
  throw new DavError(400, 'Depth is 0 or 1')
}

/** `nresults` of a limit; null without one. */
export const readLimit = (root: XmlElement, uri: string): number | null => {
  const limit = findChild(root, uri, 'limit')
  const text = limit && findChild(limit, uri, 'nresults')?.text.trim()
  if (text === undefined) return null
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw invalidXml('nresults is a number from 1')
  return Number(text)
}
