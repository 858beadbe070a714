import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Marked, type RendererObject } from 'marked'

import { BROWSE_LEVEL, capabilities } from '../../../contract/capabilities.ts'
import { findPage } from '../../../contract/pages.ts'

// The guides are the files of docs/users, which are also read on the web: a file is a guide, and each of its second headings a section. A comment below a
// heading says for whom and for which pages it is: `<!-- level 6; pages /locations /coverage; words bulk mass -->`; below the first heading, for all sections.

export const GUIDES_FOLDER = fileURLToPath(new URL('../../../../docs/users/', import.meta.url))

/** What a comment says. */
interface Marks {
  readonly level?: number
  readonly pages?: readonly string[]
  /** Other words by which the search finds it. */
  readonly words?: string
  /** The place of a guide among all of them. */
  readonly order?: number
}

export interface Section {
  readonly id: string
  readonly title: string
  /** The highest number of a level that may read it. */
  readonly level: number
  readonly pages: readonly string[]
  readonly words: string
  readonly source: string
  readonly html: string
}

export interface Guide {
  readonly id: string
  readonly title: string
  readonly sections: readonly Section[]
}

const DEFAULT_ORDER = 50
const COMMENT = /^<!--(.*?)-->\s*$/m

const readMarks = (text: string): Marks => {
  const parts = Object.fromEntries(
    (COMMENT.exec(text)?.[1] ?? '').split(';').map((part) => {
      const [name = '', ...values] = part.trim().split(/\s+/)
      return [name, values]
    }),
  )
  const { level, pages, words, order } = parts
  return {
    ...(level ? { level: Number(level[0]) } : {}),
    ...(pages ? { pages } : {}),
    ...(words ? { words: words.join(' ') } : {}),
    ...(order ? { order: Number(order[0]) } : {}),
  }
}

/** The anchor of a heading, as on the web. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const getPageLevel = (path: string): number => {
  const capability = findPage(path)?.capability
  return capability === undefined ? BROWSE_LEVEL : capabilities[capability]
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Where a link of a guide leads in the program; null for pages that are only on the web. */
const toHelpLink = (href: string, guide: string): string | null => {
  if (href.startsWith('https://')) return href
  const [, file = guide, anchor] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? []
  if (!/^([\w-]+\.md)?(#.+)?$/.test(href)) return null
  return `/help/${file}${anchor === undefined ? '' : `?section=${encodeURIComponent(anchor)}`}`
}

/** HTML in a text is left out. */
const createMarked = (guide: string): Marked => {
  const renderer: RendererObject = {
    html: () => '',
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    image({ href, text }) {
      const name = /^pictures\/([\w-]+)\.webp$/.exec(href)?.[1]
      if (name === undefined) return ''
      const address = `/api/help/pictures/${name}`
      return `<picture><source srcset="${address}-dark" media="(prefers-color-scheme: dark)"><img src="${address}" alt="${escapeHtml(text)}" width="1200" height="750" loading="lazy"></picture>`
    },
    link({ href, tokens }) {
      const to = toHelpLink(href, guide)
      const inner = this.parser.parseInline(tokens)
      return to === null ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
    },
  }
  return new Marked({ renderer })
}

/** A guide from the text of its file. */
export const readGuide = (id: string, text: string): Guide & { readonly order: number } => {
  const marked = createMarked(id)
  const [head = '', ...others] = text.split(/^(?=## )/m)
  const title = /^# (.+)$/m.exec(head)?.[1] ?? id
  const ofAll = readMarks(head)
  const lead = head
    .replace(/^# .+$/m, '')
    .replace(COMMENT, '')
    .trim()
  const toSection = (sectionId: string, heading: string, part: string): Section => {
    const marks = readMarks(part)
    const pages = marks.pages ?? ofAll.pages ?? []
    const ownLevel = Math.max(...pages.map(getPageLevel))
    const level = marks.level ?? ofAll.level ?? (pages.length > 0 ? ownLevel : BROWSE_LEVEL)
    const source = part
      .replace(/^## .+$/m, '')
      .replace(COMMENT, '')
      .trim()
    return {
      id: sectionId,
      title: heading,
      level,
      pages,
      words: `${ofAll.words ?? ''} ${marks.words ?? ''}`.trim(),
      source,
      html: marked.parse(source, { async: false }),
    }
  }
  return {
    id,
    title,
    order: ofAll.order ?? DEFAULT_ORDER,
    sections: [
      // What is said before the first heading is a section with the name of the guide.
      ...(lead === '' ? [] : [toSection('about', title, head.replace(/^# .+$/m, ''))]),
      ...others.map((part) => {
        const heading = /^## (.+)$/m.exec(part)?.[1] ?? ''
        return toSection(toAnchor(heading), heading, part)
      }),
    ],
  }
}

const readGuides = (): readonly Guide[] =>
  readdirSync(GUIDES_FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readGuide(name.slice(0, -'.md'.length), readFileSync(`${GUIDES_FOLDER}${name}`, 'utf8')))
    .toSorted((a, b) => a.order - b.order || a.title.localeCompare(b.title))

let guides: readonly Guide[] | undefined
/** All guides, in order; read when they are needed first. */
export const getGuides = (): readonly Guide[] => (guides ??= readGuides())
