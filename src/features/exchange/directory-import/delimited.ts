/** A row of a file: the line it begins on, its cells, and what is wrong with it where it could not be taken apart. */
export interface FileRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly error?: string
}

/** A line or a row longer than this belongs to no directory: something else was given, or a quotation mark is never closed. */
const MAX_LINE_LENGTH = 1_048_576
const MAX_ROW_LENGTH = 262_144

export class LineTooLong extends Error {}

const trimLineEnd = (line: string): string => /^(?:.*[^\r\n])?/s.exec(line)?.[0] ?? line

/** Physical lines with their ends still on, whichever of CR LF, LF and CR the file uses. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  const take = function* (final: boolean): Generator<string> {
    const ends = /\r\n|\n|\r/g
    let from = 0
    for (let end = ends.exec(rest); end; end = ends.exec(rest)) {
      // The LF of a CR LF may still be to come.
      if (!final && end[0] === '\r' && ends.lastIndex === rest.length) break
      yield rest.slice(from, ends.lastIndex)
      from = ends.lastIndex
      line++
    }
    rest = rest.slice(from)
    if (rest.length > MAX_LINE_LENGTH) throw new LineTooLong(`line ${line} has more than ${MAX_LINE_LENGTH} characters`)
  }
  for await (const chunk of chunks) {
    rest += chunk
    yield* take(false)
  }
  yield* take(true)
  if (rest !== '') yield rest
}

type RowState = 'done' | 'open' | 'mistaken'

/** Takes one row apart, line by line until its last quotation mark is closed. A mark inside an unquoted cell is a mark. */
class RowParser {
  readonly cells: string[] = []
  #cell = ''
  #quoted = false
  readonly #delimiter: string

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  push(line: string): RowState {
    const text = trimLineEnd(line)
    let at = 0
    if (!this.#quoted && text.startsWith('"')) {
      this.#quoted = true
      at = 1
    }
    for (;;) {
      if (!this.#quoted) {
        const end = text.indexOf(this.#delimiter, at)
        this.cells.push(text.slice(at, end < 0 ? undefined : end))
        if (end < 0) return 'done'
        at = end + 1
      } else {
        const mark = text.indexOf('"', at)
        if (mark < 0) {
          this.#cell += line.slice(at)
          return 'open'
        }
        this.#cell += text.slice(at, mark)
        if (text[mark + 1] === '"') {
          this.#cell += '"'
          at = mark + 2
          continue
        }
        const after = text.indexOf(this.#delimiter, mark + 1)
        const between = text.slice(mark + 1, after < 0 ? undefined : after)
        // A tab is itself blank, so only spaces may stand between the mark and the delimiter.
        if (/[^ ]/.test(between)) return 'mistaken'
        this.cells.push(this.#cell)
        this.#cell = ''
        this.#quoted = false
        if (after < 0) return 'done'
        at = after + 1
      }
      if (text[at] === '"') {
        this.#quoted = true
        at++
      }
    }
  }
}

/**
 * Rows of comma, semicolon or tab separated text (RFC 4180). A row that cannot be taken apart ends with its first line, so
 * that one stray quotation mark costs one row and not the rest of the file.
 */
export async function* parseRows(chunks: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRow> {
  const lines = splitLines(chunks)
  /** Lines that were read ahead for a row that turned out mistaken; the next one last. */
  const ahead: string[] = []
  let number = 1
  const next = async (): Promise<string | undefined> => ahead.pop() ?? ((await lines.next()).value as string | undefined)

  for (let first = await next(); first !== undefined; first = await next()) {
    const start = number
    const row = new RowParser(delimiter)
    const taken: string[] = [first]
    let length = first.length
    let progress = row.push(first)
    while (progress === 'open') {
      const more = length > MAX_ROW_LENGTH ? undefined : await next()
      if (more === undefined) break
      taken.push(more)
      length += more.length
      progress = row.push(more)
    }
    if (progress === 'done') {
      number += taken.length
      yield { line: start, cells: row.cells }
    } else {
      for (const line of taken.slice(1).toReversed()) ahead.push(line)
      number += 1
      const cells = trimLineEnd(first).split(delimiter)
      const mistake =
        progress === 'open' ? 'A quotation mark is opened and never closed' : 'A quotation mark inside a quoted cell is not doubled'
      // Tab separated files are often written without any quoting: there the mark is a letter like any other.
      yield delimiter === '\t' ? { line: start, cells } : { line: start, cells, error: mistake }
    }
  }
}

/** The delimiter a header line uses most, outside quotation marks; a comma where it uses none. */
export const detectDelimiter = (text: string): ',' | ';' | '\t' => {
  const header = (/^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0] ?? text).replace(/"[^"]*"/g, '')
  const count = (delimiter: string): number => header.split(delimiter).length
  return ([',', ';', '\t'] as const).reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** One row as CSV; every cell that needs it is quoted, none is changed. */
export const toCsv = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (/[",;\r\n\t]|^\s|\s$/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join(',')}\r\n`
