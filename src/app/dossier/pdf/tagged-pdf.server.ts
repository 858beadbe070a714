// oxlint-disable-next-line import/no-named-as-default -- its types have no other export
import PDFDocument from 'pdfkit'

import { nextTurn } from '../../../platform/server/time-slices.ts'
import { COLORS, PAGE } from './styles.server.ts'
import { registerFonts, TextLayout, type TextStyle } from './text-layout.server.ts'

export type Pdf = InstanceType<typeof PDFDocument>
/** A node of the structure that screen readers follow. */
export type Element = ReturnType<Pdf['struct']>

export interface PdfFacts {
  readonly title: string
  readonly subject: string
  readonly identifier: string
  readonly madeAt: Date
}

/** What the types of the library do not declare. */
export interface Internals {
  readonly page: { readonly dictionary: { readonly data: Record<string, unknown> }; readonly annotations: unknown[] }
  readonly _root: { readonly data: Record<string, unknown> }
  readonly ref: (data: object) => { readonly data: Record<string, unknown>; readonly end: () => void }
  readonly appendXML: (xml: string) => void
  endMetadata: () => void
  endAcroForm: () => void
  readonly struct: (type: string, options?: object) => Element
  readonly goTo: (x: number, y: number, width: number, height: number, name: string, options: object) => void
}

/** How many pieces of a file are kept before they are joined. */
const MAX_PIECES = 500

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A PDF with a structure (PDF/UA): everything drawn belongs to an element, or is an artifact. */
export class TaggedPdf {
  readonly pdf: Pdf
  readonly internals: Internals
  readonly layout: TextLayout
  readonly root: Element
  y: number = PAGE.top
  /** Nothing is drawn yet: a first run finds out on which page everything is. */
  isDraft = true
  /** Draws what every page has. */
  onPage: (page: number) => void = () => {}
  /** The file so far, and the tens of thousands of small pieces since, each of which takes several times its size. */
  readonly #chunks: Buffer[] = []
  #pieces: Buffer[] = []
  #pages = 0

  constructor({ title, subject, identifier, madeAt }: PdfFacts) {
    this.pdf = new PDFDocument({
      size: 'LETTER',
      margin: 0,
      autoFirstPage: false,
      pdfVersion: '1.7',
      tagged: true,
      subset: 'PDF/UA' as 'PDF/A-2a',
      lang: 'en-US',
      displayTitle: true,
      info: {
        Title: title,
        Subject: subject,
        Creator: 'Homeroom',
        Producer: 'Homeroom',
        CreationDate: madeAt,
        ModDate: madeAt,
      },
      font: null as never,
      // Words would be kept with an object for each character.
      fontLayoutCache: false,
    })
    this.internals = this.pdf as unknown as Internals
    registerFonts(this.pdf)
    this.internals.appendXML(
      `<rdf:Description rdf:about="" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"><xmpMM:DocumentID>${identifier}</xmpMM:DocumentID></rdf:Description>`,
    )
    const endMetadata = this.internals.endMetadata.bind(this.pdf)
    this.internals.endMetadata = () => {
      // The library puts these into XML as they are.
      Object.assign(this.pdf.info, { Title: escapeXml(title), Subject: escapeXml(subject) })
      endMetadata()
    }
    this.pdf.info['Identifier' as 'Keywords'] = identifier
    this.layout = new TextLayout(this.pdf)
    this.root = this.internals.struct('Document')
    this.pdf.addStructure(this.root)
    this.pdf.on('data', (piece: Buffer) => {
      if (this.#pieces.push(piece) >= MAX_PIECES) this.#joinPieces()
    })
  }

  #joinPieces(): void {
    this.#chunks.push(Buffer.concat(this.#pieces))
    this.#pieces = []
  }

  /** Ends the draft: from now on everything is drawn. Resolves when the file can be written while it is drawn. */
  async begin(): Promise<void> {
    this.isDraft = false
    this.#pages = 0
    await nextTurn()
  }

  get pageCount(): number {
    return this.#pages
  }

  addPage(): void {
    this.#pages++
    this.y = PAGE.top
    if (this.isDraft) return
    this.pdf.addPage()
    this.internals.page.dictionary.data['Tabs'] = 'S'
    this.onPage(this.#pages)
  }

  /** Adds an empty element. */
  element(parent: Element, type: string, options: object = {}): Element {
    if (this.isDraft) return this.root
    const element = this.internals.struct(type, options)
    parent.add(element)
    return element
  }

  /** Ends an element, which is then written. */
  close(...elements: readonly Element[]): void {
    if (!this.isDraft) for (const element of elements) element.end()
  }

  /** Draws content of an element; one that continues on the next page is drawn into twice. */
  mark(element: Element, type: string, draw: () => void): void {
    if (this.isDraft) return
    const content = this.pdf.markStructureContent(type)
    draw()
    this.pdf.endMarkedContent()
    element.add(content)
  }

  /** Draws what screen readers skip. */
  artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    if (this.isDraft) return
    this.pdf.markContent('Artifact', { type })
    draw()
    this.pdf.endMarkedContent()
  }

  line(y: number, color: string = COLORS.line, width = 0.75): void {
    this.artifact(() => this.pdf.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(width).strokeColor(color).stroke())
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    this.artifact(() => this.pdf.rect(x, y, width, height).fill(color))
  }

  /** Draws lines of text, each but the last with a space at its end, so that words stay apart when they are read. */
  drawLines(lines: readonly string[], x: number, y: number, style: TextStyle): void {
    this.layout.use(style)
    const inset = (style.lineHeight - style.size * 1.21) / 2
    for (const [index, line] of lines.entries()) {
      const shown = index < lines.length - 1 ? `${line} ` : line
      if (shown !== '') this.pdf.text(shown, x, y + index * style.lineHeight + inset, { lineBreak: false })
    }
  }

  /** Begins a new page if there is less room than this. */
  need(height: number): void {
    if (this.y + height > PAGE.bottom) this.addPage()
  }

  /** Draws a text as an element below what was drawn before, over pages if it is long. */
  text(parent: Element, type: string, text: string, style: TextStyle, width: number = PAGE.right - PAGE.left): void {
    const element = this.element(parent, type)
    let lines = this.layout.wrap(text, width, style)
    while (lines.length > 0) {
      this.need(style.lineHeight)
      const count = Math.max(1, Math.floor((PAGE.bottom - this.y) / style.lineHeight))
      const shown = lines.slice(0, count)
      this.mark(element, type, () => this.drawLines(shown, PAGE.left, this.y, style))
      this.y += shown.length * style.lineHeight
      lines = lines.slice(count)
    }
    this.close(element)
  }

  /** The finished file. */
  async end(): Promise<Buffer> {
    this.root.end()
    const ended = new Promise((resolve, reject) => {
      this.pdf.once('end', resolve)
      this.pdf.once('error', reject)
    })
    this.pdf.end()
    await ended
    this.#joinPieces()
    return Buffer.concat(this.#chunks)
  }
}
