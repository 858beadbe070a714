import type { Block, DossierDocument, Section } from '../document.ts'
import { COLORS, CONTENT_HEIGHT, CONTENT_WIDTH, PAGE, STYLES } from './styles.server.ts'
import { drawTable, getFirstHeight, toTable } from './tables.server.ts'
import { type Element, TaggedPdf } from './tagged-pdf.server.ts'
import type { TextStyle } from './text-layout.server.ts'

/** A line of the contents: a chapter, or a record in it. */
interface Entry {
  readonly title: string
  readonly isChapter: boolean
  page: number
}

/** Parts of a dossier that are drawn so far, and of how many. */
type OnProgress = (done: number, of: number) => void

const listEntries = (sections: readonly Section[]): Entry[] =>
  sections.flatMap(({ title, groups }) => [
    { title, isChapter: true, page: 0 },
    ...groups.flatMap((group) => (group.title === undefined ? [] : [{ title: group.title, isChapter: false, page: 0 }])),
  ])

const getEntryStyle = ({ isChapter }: Entry): TextStyle => (isChapter ? STYLES.part : STYLES.entry)
/** Space above a chapter in the contents. */
const CHAPTER_GAP = 5
const CONTENTS_HEAD = STYLES.chapter.lineHeight + 16

/** The entries of each page of the contents. */
const splitContents = (entries: readonly Entry[]): Entry[][] => {
  const pages: Entry[][] = [[]]
  let y: number = PAGE.top + CONTENTS_HEAD
  for (const [at, entry] of entries.entries()) {
    const height = getEntryStyle(entry).lineHeight + (entry.isChapter ? CHAPTER_GAP : 0)
    // A chapter is never the last line of a page.
    const follows = entry.isChapter && entries[at + 1]?.isChapter === false ? STYLES.entry.lineHeight : 0
    if (y + height + follows > PAGE.bottom) {
      pages.push([])
      y = PAGE.top
    }
    pages.at(-1)?.push(entry)
    y += height
  }
  return pages
}

interface Outline {
  readonly addItem: (title: string, options?: object) => Outline
}

/** Adds a bookmark of the present page. */
const addBookmark = (target: TaggedPdf, title: string, parent?: Outline, top = 0): Outline | undefined => {
  const outline: Outline = parent ?? target.pdf.outline
  return target.isDraft ? undefined : outline.addItem(title, { fit: false, top })
}

const drawCover = (target: TaggedPdf, { charter, state, cover, closing }: DossierDocument): void => {
  target.addPage()
  addBookmark(target, 'Cover')
  const parent = target.element(target.root, 'Sect')
  target.fill(0, 0, PAGE.width, 8, COLORS.ink)
  target.y = 168
  target.text(parent, 'P', 'Charter dossier', STYLES.label)
  target.y += 6
  target.text(parent, 'H1', charter, STYLES.name)
  target.y += 6
  target.text(parent, 'P', state, STYLES.state)
  target.y += 40
  drawTable(target, parent, toTable({ kind: 'facts', sheet: '', facts: cover }))
  target.y += 22
  target.text(parent, 'P', closing, STYLES.note, 420)
  target.close(parent)
}

const drawContents = (target: TaggedPdf, pages: readonly Entry[][]): void => {
  const parent = target.element(target.root, 'Sect')
  const addToc = (): Element => target.element(parent, 'TOC')
  let toc: Element | undefined
  let number = 0
  for (const [at, entries] of pages.entries()) {
    target.addPage()
    if (at === 0) {
      addBookmark(target, 'Contents')
      target.text(parent, 'H2', 'Contents', STYLES.chapter)
    }
    toc ??= addToc()
    target.y = at === 0 ? PAGE.top + CONTENTS_HEAD : PAGE.top
    for (const entry of entries) {
      const style = getEntryStyle(entry)
      if (entry.isChapter) target.y += CHAPTER_GAP
      const indent = entry.isChapter ? 0 : 14
      const page = String(entry.page)
      const pageX = PAGE.right - target.layout.widthOf(page, style)
      const [title = ''] = target.layout.wrap(entry.title, CONTENT_WIDTH - indent - 50, style)
      const item = target.element(toc, 'TOCI')
      const reference = target.element(item, 'Reference')
      const link = target.element(reference, 'Link')
      target.mark(link, 'Link', () => target.drawLines([`${title} `], PAGE.left + indent, target.y, style))
      const dotsFrom = PAGE.left + indent + target.layout.widthOf(title, style) + 8
      if (pageX - 8 > dotsFrom)
        target.artifact(() =>
          target.pdf
            .moveTo(dotsFrom, target.y + style.lineHeight / 2 + 3.5)
            .lineTo(pageX - 8, target.y + style.lineHeight / 2 + 3.5)
            .lineWidth(0.75)
            .dash(0.75, { space: 3 })
            .strokeColor('#B8B2A8')
            .stroke()
            .undash(),
        )
      target.mark(link, 'Link', () => target.drawLines([page], pageX, target.y, style))
      // A `String` is a text for the library, and a `string` a name.
      const Contents = new String(`${entry.title}, page ${page}`)
      if (!target.isDraft)
        target.internals.goTo(PAGE.left, target.y, CONTENT_WIDTH, style.lineHeight, `entry-${number++}`, { structParent: link, Contents })
      target.close(link, reference, item)
      target.y += style.lineHeight
    }
  }
  target.close(...(toc ? [toc] : []), parent)
}

const drawBlock = (target: TaggedPdf, parent: Element, block: Block, headingType: 'H3' | 'H4'): void => {
  const table = toTable(block)
  const isEmpty = table.rows.length === 0
  const title = block.title
  target.need((title === undefined ? 0 : STYLES.block.lineHeight + 4) + (isEmpty ? STYLES.note.lineHeight : getFirstHeight(target, table)))
  if (title !== undefined) {
    target.text(parent, headingType, title, STYLES.block)
    target.y += 4
  }
  if (!isEmpty) drawTable(target, parent, table)
  if (block.kind === 'table') {
    if (isEmpty) target.text(parent, 'P', block.empty, STYLES.note)
  } else {
    const missing = block.facts.filter(({ value }) => value === '').map(({ label }) => label)
    if (missing.length > 0) {
      if (!isEmpty) target.y += 5
      target.text(parent, 'P', `Not filled in: ${missing.join(', ')}.`, STYLES.note)
    }
  }
  target.y += 16
}

/** Draws a page's header and footer, which screen readers skip. */
const drawMargins = (target: TaggedPdf, { charter, state, source }: DossierDocument, page: number, pages: number): void => {
  const { layout } = target
  const [nameWidth, otherWidth] = [0.5, 0.8].map((share) => CONTENT_WIDTH * share) as [number, number]
  const draw = (text: string, y: number, isRight: boolean, style: TextStyle, width = otherWidth): void => {
    const [line = ''] = layout.wrap(text, width, style)
    target.drawLines([line], isRight ? PAGE.right - layout.widthOf(line, style) : PAGE.left, y, style)
  }
  target.artifact(() => {
    draw(charter, 40, false, STYLES.marginName, nameWidth)
    draw(state, 40, true, STYLES.margin)
    draw(source, 748, false, STYLES.margin)
    draw(`Page ${page} of ${pages}`, 748, true, STYLES.margin)
  }, 'Pagination')
  target.line(56)
}

/** The head of a chapter, and the space above one that begins on a page with room for much of it. */
const CHAPTER_HEIGHT = STYLES.chapter.lineHeight + 2 * STYLES.note.lineHeight + 16
const CHAPTER_SPACE = 28

/** Draws the sections, and notes the page of every entry of the contents. */
const drawSections = (target: TaggedPdf, sections: readonly Section[], entries: readonly Entry[], onProgress: OnProgress): void => {
  let number = 0
  const begin = (parent: Outline | undefined, title: string): Outline | undefined => {
    const entry = entries[number]
    if (entry) entry.page = target.pageCount
    const top = Math.max(target.y - 12, 0)
    if (!target.isDraft) target.pdf.addNamedDestination(`entry-${number}`, 'XYZ', PAGE.left, top, 0)
    number++
    return addBookmark(target, title, parent, top)
  }
  for (const [at, { title, intro, groups, empty }] of sections.entries()) {
    const parent = target.element(target.root, 'Sect')
    const [first] = groups[0]?.blocks ?? []
    const needed = CHAPTER_HEIGHT + (first ? 2 * STYLES.record.lineHeight + getFirstHeight(target, toTable(first)) : STYLES.body.lineHeight)
    target.y += CHAPTER_SPACE
    if (at === 0 || target.y > PAGE.top + CONTENT_HEIGHT / 2 || target.y + needed > PAGE.bottom) target.addPage()
    const chapter = begin(undefined, title)
    target.text(parent, 'H2', title, STYLES.chapter)
    target.y += 2
    target.text(parent, 'P', intro, STYLES.note)
    target.y += 14
    if (groups.length === 0 && empty !== undefined) target.text(parent, 'P', empty, STYLES.body)
    for (const group of groups) {
      if (group.title !== undefined) {
        const [block] = group.blocks
        target.need(60 + (block ? getFirstHeight(target, toTable(block)) : 0))
        begin(chapter, group.title)
        target.text(parent, 'H3', group.title, STYLES.record)
        if (group.note !== undefined) target.text(parent, 'P', group.note, STYLES.note)
        target.y += 8
      }
      for (const block of group.blocks) drawBlock(target, parent, block, group.title === undefined ? 'H3' : 'H4')
      target.y += group.title === undefined ? 0 : 12
    }
    target.close(parent)
    onProgress(at + 1, sections.length)
  }
}

/**
 * Draws a dossier as a tagged PDF of American letter size, with contents and bookmarks. It is laid out twice, so that pages are written and forgotten
 * one by one. `prepare` can add to it on the first page.
 */
export const writePdf = async (
  dossier: DossierDocument,
  onProgress: OnProgress,
  prepare: (target: TaggedPdf) => void,
): Promise<{ readonly bytes: Buffer; readonly pages: number }> => {
  const { sections } = dossier
  const target = new TaggedPdf({
    title: `Charter dossier of ${dossier.charter}. ${dossier.state}`,
    subject: dossier.source,
    identifier: `urn:uuid:${dossier._id}`,
    madeAt: new Date(dossier.madeAt),
  })
  const entries = listEntries(sections)
  const contents = splitContents(entries)
  const draw = (report: OnProgress): void => {
    drawCover(target, dossier)
    drawContents(target, contents)
    drawSections(target, sections, entries, report)
  }
  const steps = 2 * sections.length
  draw((done) => onProgress(done, steps))
  const pages = target.pageCount
  await target.begin()
  target.onPage = (page) => {
    if (page === 1) prepare(target)
    else drawMargins(target, dossier, page, pages)
  }
  draw((done) => onProgress(sections.length + done, steps))
  return { bytes: await target.end(), pages }
}
