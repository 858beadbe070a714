import sax from 'sax'

import { createTimeSlices, LONG_WORK_REST_MS } from '../../../platform/server/time-slices.ts'
import { MAX_XML_DEPTH, MAX_XML_ELEMENTS } from './contract.ts'
import { invalidXml } from './dav-error.server.ts'

export const DAV = 'DAV:'
export const CARDDAV = 'urn:ietf:params:xml:ns:carddav'
/** The namespace of `getctag`, which older programs compare instead of a sync token. */
export const CALENDAR_SERVER = 'http://calendarserver.org/ns/'

export interface XmlElement {
  readonly uri: string
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
  text: string
}

const CHUNK_LENGTH = 16_384
/** Only the five entities of XML are known; `strictEntities` is missing in the types. */
const PARSER_OPTIONS = { xmlns: true, strictEntities: true } as sax.SAXOptions

/** Parses a request body. Entities of its own, a document type, and too many or too deeply nested elements are refused. */
export const parseXml = async (text: string): Promise<XmlElement> => {
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let count = 0
  const addText = (part: string): void => {
    const element = open.at(-1)
    if (element) element.text += part
  }
  const openElement = ({ uri, local, attributes }: sax.QualifiedTag): void => {
    if (++count > MAX_XML_ELEMENTS) throw invalidXml('It has too many elements')
    if (root && open.length === 0) throw invalidXml('It has two roots')
    if (open.length >= MAX_XML_DEPTH) throw invalidXml('It is nested too deeply')
    const own = Object.values(attributes).filter(({ prefix }) => prefix === '')
    const element: XmlElement = { uri, name: local, attributes: new Map(own.map((one) => [one.local, one.value])), children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  }
  const parser = Object.assign(sax.parser(true, PARSER_OPTIONS), {
    onopentag: openElement,
    onclosetag: () => void open.pop(),
    ontext: addText,
    oncdata: addText,
    ondoctype: () => {
      throw invalidXml('A document type is not accepted')
    },
    onerror: (error: Error) => {
      throw invalidXml(error.message.split('\n')[0] ?? '')
    },
  })
  const pause = createTimeSlices(LONG_WORK_REST_MS)
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
    parser.write(text.slice(at, at + CHUNK_LENGTH))
    await pause()
  }
  parser.close()
  if (!root) throw invalidXml('It is empty')
  return root
}

export const isElement = (element: XmlElement, uri: string, name: string): boolean => element.uri === uri && element.name === name
export const findChild = (element: XmlElement, uri: string, name: string): XmlElement | undefined =>
  element.children.find((child) => isElement(child, uri, name))
export const listChildren = (element: XmlElement, uri: string, name: string): XmlElement[] =>
  element.children.filter((child) => isElement(child, uri, name))
