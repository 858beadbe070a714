import type { LightMyRequestResponse } from 'fastify'

import { createDevice } from '../../src/features/access/devices/contract.ts'
import { parseXml, type XmlElement } from '../../src/features/exchange/address-books/dav-xml.server.ts'
import type { SignedInCaller, TestApp } from './app.ts'

export const DAV_NAMES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav" xmlns:CS="http://calendarserver.org/ns/"'

/** A response of a multistatus: its address, its properties by local name, the missing ones, and its own status. */
export interface DavResponse {
  readonly href: string
  readonly properties: ReadonlyMap<string, XmlElement>
  readonly missing: readonly string[]
  readonly status: number | null
}

const findAll = (element: XmlElement, name: string): XmlElement[] => element.children.filter((child) => child.name === name)
const textOf = (element: XmlElement | undefined): string => element?.text.trim() ?? ''
const toStatus = (element: XmlElement | undefined): number | null => (element ? Number(textOf(element).split(' ')[1]) : null)

export const readMultistatus = async (xml: string): Promise<{ responses: DavResponse[]; token: string }> => {
  const root = await parseXml(xml)
  if (root.name !== 'multistatus') throw new Error(xml.slice(0, 500))
  const responses = findAll(root, 'response').map((response) => {
    const stats = findAll(response, 'propstat').map((stat) => ({
      status: toStatus(findAll(stat, 'status')[0]),
      properties: findAll(stat, 'prop').flatMap(({ children }) => children),
    }))
    const named = (status: number) => stats.filter((stat) => stat.status === status).flatMap(({ properties }) => properties)
    return {
      href: textOf(findAll(response, 'href')[0]),
      properties: new Map(named(200).map((property) => [property.name, property])),
      missing: named(404).map(({ name }) => name),
      status: toStatus(findAll(response, 'status')[0]),
    }
  })
  return { responses, token: textOf(findAll(root, 'sync-token')[0]) }
}

/** The text of a property, or of the address in it. */
export const getText = (response: DavResponse | undefined, name: string): string => {
  const property = response?.properties.get(name)
  return textOf(property?.children.find((child) => child.name === 'href') ?? property)
}

/** A contact program with a password of its own, as it speaks to a server. */
export const connectDevice = async ({ app, context, catchUp }: TestApp, owner: SignedInCaller, name = 'Phone') => {
  const device = await owner.send(createDevice, { body: { name } })
  const authority = new URL(context.configuration.publicUrl).host
  const authorization = `Basic ${Buffer.from(`${device.username}:${device.password}`).toString('base64')}`
  const createClient = (server: TestApp['app'], isSignedIn = true) => {
    const request = async (
      method: string,
      url: string,
      payload?: string,
      headers: Record<string, string> = {},
    ): Promise<LightMyRequestResponse> => {
      await catchUp()
      return server.inject({
        method: method as 'GET',
        url,
        authority,
        headers: {
          ...(isSignedIn ? { authorization } : {}),
          ...(payload === undefined ? {} : { 'content-type': 'application/xml; charset=utf-8' }),
          ...headers,
        },
        ...(payload === undefined ? {} : { payload }),
      })
    }
    const propfind = async (url: string, properties: string, depth: '0' | '1' = '0') => {
      const response = await request('PROPFIND', url, `<D:propfind ${DAV_NAMES}><D:prop>${properties}</D:prop></D:propfind>`, { depth })
      if (response.statusCode !== 207) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
      return (await readMultistatus(response.body)).responses
    }
    const report = async (url: string, body: string, headers: Record<string, string> = {}) => {
      const response = await request('REPORT', url, body.replace(/^<([\w:-]+)/, `<$1 ${DAV_NAMES}`), { depth: '1', ...headers })
      if (response.statusCode !== 207) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
      return readMultistatus(response.body)
    }
    const sync = (url: string, token = '', more = '') =>
      report(
        url,
        `<D:sync-collection><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${more}<D:prop><D:getetag/></D:prop></D:sync-collection>`,
      )
    const multiget = async (url: string, hrefs: readonly string[], data = '<C:address-data/>') =>
      (
        await report(
          url,
          `<C:addressbook-multiget><D:prop><D:getetag/>${data}</D:prop>${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</C:addressbook-multiget>`,
        )
      ).responses
    const query = async (url: string, filter: string, more = '', properties = '<D:getetag/>') =>
      (await report(url, `<C:addressbook-query><D:prop>${properties}</D:prop>${filter}${more}</C:addressbook-query>`)).responses
    return { request, propfind, report, sync, multiget, query }
  }
  const { account } = await owner.who()
  const home = `/dav/addressbooks/${account}/`
  return { device, authorization, home, createClient, ...createClient(app) }
}
