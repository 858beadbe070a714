import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type PDFDocument from 'pdfkit'

/** The weights that are used, of the font that the design pictures are drawn with. */
export type Weight = 'regular' | 'semibold' | 'bold'
const FILES: Readonly<Record<Weight, string>> = {
  regular: '400Regular/Inter_400Regular.ttf',
  semibold: '600SemiBold/Inter_600SemiBold.ttf',
  bold: '700Bold/Inter_700Bold.ttf',
}

export interface TextStyle {
  readonly weight: Weight
  readonly size: number
  readonly color: string
  readonly lineHeight: number
}

const resolve = createRequire(import.meta.url).resolve

interface Glyph {
  readonly advanceWidth: number
}
interface Position {
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
  readonly advanceWidth: number
}
interface Run {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly Position[]
  readonly advanceWidth: number
}
/** What the types of the library do not declare: a font, its part that shapes text, and the factor from its units to thousandths. */
interface EmbeddedFont {
  readonly scale: number
  readonly font: {
    readonly hasGlyphForCodePoint: (codePoint: number) => boolean
    readonly glyphForCodePoint: (codePoint: number) => Glyph
  }
  layoutRun: (text: string, features?: object) => Run
}

/** Without ligatures and alternates, which would draw '10x4' as another text. */
const FEATURES = { calt: false, liga: false, clig: false, dlig: false }
const HAS_MARKS = /\p{M}/u

/** Places glyphs side by side by their widths, a hundred times as fast as shaping them, which only marks without a glyph of their own need. */
const simplifyLayout = (embedded: EmbeddedFont): void => {
  const { font, scale } = embedded
  const shape = embedded.layoutRun.bind(embedded)
  const known = new Map<string, { readonly glyph: Glyph; readonly position: Position }>()
  const place = (character: string) => {
    const glyph = font.glyphForCodePoint(character.codePointAt(0) ?? 0)
    const advanceWidth = glyph.advanceWidth * scale
    const placed = { glyph, position: { xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth } }
    known.set(character, placed)
    return placed
  }
  embedded.layoutRun = (text) => {
    if (HAS_MARKS.test(text)) return shape(text, FEATURES)
    const placed = Array.from(text, (character) => known.get(character) ?? place(character))
    return {
      glyphs: placed.map(({ glyph }) => glyph),
      positions: placed.map(({ position }) => position),
      advanceWidth: placed.reduce((sum, { position }) => sum + position.advanceWidth, 0),
    }
  }
}

const getFont = (pdf: InstanceType<typeof PDFDocument>): EmbeddedFont => (pdf as unknown as { _font: EmbeddedFont })._font

export const registerFonts = (pdf: InstanceType<typeof PDFDocument>): void => {
  for (const [weight, file] of Object.entries(FILES)) {
    pdf.registerFont(weight, readFileSync(resolve(`@expo-google-fonts/inter/${file}`)))
    simplifyLayout(getFont(pdf.font(weight)))
  }
}

const MISSING = '□'

/** Breaks texts into lines, and remembers the widths of words. */
export class TextLayout {
  readonly #pdf: InstanceType<typeof PDFDocument>
  readonly #widths = new Map<string, number>()
  readonly #known = new Map<number, boolean>()

  constructor(pdf: InstanceType<typeof PDFDocument>) {
    this.#pdf = pdf
  }

  use({ weight, size, color }: TextStyle): void {
    this.#pdf.font(weight).fontSize(size).fillColor(color)
  }

  /** The text with what the font can draw: other characters become squares. */
  toDrawable(text: string): string {
    let drawable = ''
    for (const character of text
      .normalize('NFC')
      .replaceAll(/[\t\p{Zs}]/gu, ' ')
      .replaceAll(/[\p{Cf}\uFE0F]/gu, ''))
      drawable += this.#isKnown(character.codePointAt(0) ?? 0) ? character : MISSING
    return drawable
  }

  #isKnown(codePoint: number): boolean {
    if (codePoint < 0x7f) return true
    let known = this.#known.get(codePoint)
    if (known === undefined) {
      known = getFont(this.#pdf.font('regular')).font.hasGlyphForCodePoint(codePoint)
      this.#known.set(codePoint, known)
    }
    return known
  }

  widthOf(text: string, { weight, size }: TextStyle): number {
    const key = `${weight} ${text}`
    let width = this.#widths.get(key)
    if (width === undefined) {
      width = this.#pdf.font(weight).fontSize(1000).widthOfString(text)
      this.#widths.set(key, width)
    }
    return (width * size) / 1000
  }

  /** The lines of a text; a word that is longer than a line is broken. */
  wrap(text: string, width: number, style: TextStyle): string[] {
    return text.split(/\r\n?|\n/).flatMap((line) => this.#wrapLine(this.toDrawable(line).trimEnd(), width, style))
  }

  #wrapLine(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = []
    const space = this.widthOf(' ', style)
    let line = ''
    let used = 0
    for (const word of text.split(' ').flatMap((one) => this.#breakWord(one, width, style))) {
      const wordWidth = this.widthOf(word, style)
      if (line !== '' && used + space + wordWidth > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      used += line === '' ? wordWidth : space + wordWidth
      line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line]
  }

  #breakWord(word: string, width: number, style: TextStyle): string[] {
    if (this.widthOf(word, style) <= width) return [word]
    const pieces: string[] = []
    let piece = ''
    for (const character of word) {
      if (piece !== '' && this.widthOf(piece + character, style) > width) {
        // Addresses are broken after their separators.
        const at = Math.max(...['@', '/', '.', '-', '_', '?', '&'].map((separator) => piece.lastIndexOf(separator)))
        const cut = at > piece.length / 2 ? at + 1 : piece.length
        pieces.push(piece.slice(0, cut))
        piece = piece.slice(cut)
      }
      piece += character
    }
    return [...pieces, piece]
  }
}
