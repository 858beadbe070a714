import type { Problem } from '../../../contract/problem.ts'
import { DavError } from './dav-error.server.ts'
import { CALENDAR_SERVER, CARDDAV, DAV } from './dav-xml.server.ts'

export const XML_TYPE = 'application/xml; charset=utf-8'

/** Characters that XML does not allow are left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // A parser turns a bare carriage return into a line feed, which would change a card.
    .replaceAll('\r', '&#13;')

export const writeHref = (path: string): string => `<D:href>${escapeXml(path)}</D:href>`

const PREFIXES: Readonly<Record<string, string>> = { [DAV]: 'D', [CARDDAV]: 'C', [CALENDAR_SERVER]: 'CS' }

/** The opening and closing name of an element; one of another namespace declares it. */
export const writeElement = ({ uri, name }: { readonly uri: string; readonly name: string }, content?: string): string => {
  const prefix = PREFIXES[uri]
  const qualified = prefix === undefined ? (uri === '' ? name : `X:${name}`) : `${prefix}:${name}`
  const declaration = prefix === undefined && uri !== '' ? ` xmlns:X="${escapeXml(uri).replaceAll('"', '&quot;')}"` : ''
  return content === undefined || content === '' ? `<${qualified}${declaration}/>` : `<${qualified}${declaration}>${content}</${qualified}>`
}

export const MULTISTATUS_START = `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="${DAV}" xmlns:C="${CARDDAV}" xmlns:CS="${CALENDAR_SERVER}">\n`
export const MULTISTATUS_END = '</D:multistatus>\n'

const STATUS_TEXTS = { 200: 'OK', 403: 'Forbidden', 404: 'Not Found', 507: 'Insufficient Storage' } as const
export const writeStatus = (status: keyof typeof STATUS_TEXTS): string => `<D:status>HTTP/1.1 ${status} ${STATUS_TEXTS[status]}</D:status>`

export const writePropstat = (properties: readonly string[], status: 200 | 404): string =>
  properties.length === 0 ? '' : `<D:propstat><D:prop>${properties.join('')}</D:prop>${writeStatus(status)}</D:propstat>`
export const writeResponse = (path: string, content: string): string => `<D:response>${writeHref(path)}${content}</D:response>\n`

/** Any error as an XML body: the condition for programs, and a sentence for people. */
export const formatDavProblem = (problem: Problem): { readonly type: string; readonly body: string } => {
  const { title, detail } = problem.toBody()
  const condition = problem instanceof DavError && problem.condition !== undefined ? `<${problem.condition}/>` : ''
  const message = escapeXml(detail === undefined ? title : `${title}. ${detail}`)
  return {
    type: XML_TYPE,
    body: `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="${DAV}" xmlns:C="${CARDDAV}">${condition}<D:responsedescription>${message}</D:responsedescription></D:error>\n`,
  }
}
