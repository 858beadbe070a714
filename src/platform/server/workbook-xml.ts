import { BrokenZip } from './zip-entries.ts'

// Reads the XML of workbooks (tags with attributes and text, no custom entities) tag by tag, in chunks.

export interface Tag {
  /** Without its prefix; the name of a closing tag begins with a slash. */
  readonly name: string
  readonly attributes: string
  /** Whether it closes itself. */
  readonly isEmpty: boolean
  /** The raw text up to the next tag. */
  readonly text: string
}

/** The attributes of a tag, without the prefixes of their names. */
export const readAttributes = (attributes: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of attributes.matchAll(/(?:^|[\s:])([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found.set(name, double ?? single ?? '')
  return found
}

const NAME_END = /[\s/]/

/** The tags of a text, in order; comments and declarations are skipped. */
export function* listTags(xml: string): Generator<Tag> {
  for (let from = xml.indexOf('<'); from >= 0;) {
    const to = xml.indexOf('>', from)
    if (to < 0) return
    const next = xml.indexOf('<', to)
    // Spreadsheet programs do not write CDATA; if it were skipped, its cells would look empty.
    if (xml.startsWith('<![CDATA[', from)) throw new BrokenZip('it has texts in a form that spreadsheets do not write')
    const isEmpty = xml[to - 1] === '/'
    const inner = xml.slice(from + 1, isEmpty ? to - 1 : to)
    const isClosing = inner.startsWith('/')
    const end = isClosing ? inner.length : inner.search(NAME_END)
    const full = end < 0 ? inner : inner.slice(isClosing ? 1 : 0, end)
    const name = full.slice(full.indexOf(':') + 1).trimEnd()
    if (!inner.startsWith('!') && !inner.startsWith('?'))
      yield {
        name: isClosing ? `/${name}` : name,
        attributes: end < 0 ? '' : inner.slice(end),
        isEmpty,
        text: next < 0 ? xml.slice(to + 1) : xml.slice(to + 1, next),
      }
    from = next
  }
}

/** A tag with its text is shorter than this; a cell of a spreadsheet has at most 32,767 characters. */
const MAX_TAG_LENGTH = 1_048_576

/** The tags of a text that arrives in chunks. */
export async function* splitTags(chunks: AsyncIterable<string>): AsyncGenerator<Iterable<Tag>> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    const cut = text.lastIndexOf('<')
    rest = cut < 0 ? text : text.slice(cut)
    if (rest.length > MAX_TAG_LENGTH) throw new BrokenZip('it is cut off or damaged')
    if (cut > 0) yield listTags(text.slice(0, cut))
  }
  yield listTags(rest)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const toCharacter = (code: number): string => (code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '')

/** Decodes a text's entities, and the characters that XML cannot represent, which workbooks write as `_x000D_`. */
export const unescapeXml = (text: string): string => {
  const plain = text.includes('&')
    ? text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (_, hex?: string, decimal?: string, name?: string) =>
        name === undefined
          ? toCharacter(Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16))
          : (ENTITIES[name.toLowerCase()] ?? ''),
      )
    : text
  return plain.includes('_x')
    ? plain.replaceAll(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}
