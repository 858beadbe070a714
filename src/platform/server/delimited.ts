/** A row with the line it starts on, and the error if it could not be parsed. */
export interface FileRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly error?: string
}

/** Longer lines and rows mean another kind of file, or an unclosed quotation mark. */
const MAX_LINE_LENGTH = 1_048_576
const MAX_ROW_LENGTH = 262_144

export class LineTooLong extends Error {}

const trimLineEnd = (line: string): string => /^(?:.*[^\r\n])?/s.exec(line)?.[0] ?? line

/** Lines with their line endings: CR LF, LF or CR. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  const drain = function* (final: boolean): Generator<string> {
    const ends = /\r\n|\n|\r/g
    let from = 0
    for (let end = ends.exec(rest); end; end = ends.exec(rest)) {
      // The LF of a CR LF may be in the next chunk.
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
    yield* drain(false)
  }
  yield* drain(true)
  if (rest !== '') yield rest
}

type RowState = 'done' | 'open' | 'invalid'

/** Parses one row, line by line until its last quotation mark is closed. A quotation mark inside an unquoted cell is text. */
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
        // Only spaces are allowed between the mark and the delimiter, because a tab can be the delimiter.
        if (/[^ ]/.test(between)) return 'invalid'
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
 * Parses comma, semicolon or tab separated text (RFC 4180). A row that cannot be parsed ends with its first line, so that one stray quotation mark
 * costs one row and not the rest of the file.
 */
export async function* parseRows(chunks: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRow> {
  const lines = splitLines(chunks)
  /** Lines read ahead for a row that turned out to be invalid, in reverse order. */
  const pendingLines: string[] = []
  let number = 1
  const next = async (): Promise<string | undefined> => pendingLines.pop() ?? ((await lines.next()).value as string | undefined)

  for (let first = await next(); first !== undefined; first = await next()) {
    const start = number
    const row = new RowParser(delimiter)
    const rowLines: string[] = [first]
    let length = first.length
    let progress = row.push(first)
    while (progress === 'open') {
      const more = length > MAX_ROW_LENGTH ? undefined : await next()
      if (more === undefined) break
      rowLines.push(more)
      length += more.length
      progress = row.push(more)
    }
    if (progress === 'done') {
      number += rowLines.length
      yield { line: start, cells: row.cells }
    } else {
      for (const line of rowLines.slice(1).toReversed()) pendingLines.push(line)
      number += 1
      const cells = trimLineEnd(first).split(delimiter)
      const mistake =
        progress === 'open' ? 'A quotation mark is opened and never closed' : 'A quotation mark inside a quoted cell is not doubled'
      // Tab separated files are often written without quoting, so a quotation mark there is text.
      yield delimiter === '\t' ? { line: start, cells } : { line: start, cells, error: mistake }
    }
  }
}

/** The most frequent delimiter of a header line, outside quotation marks; a comma by default. */
export const detectDelimiter = (text: string): ',' | ';' | '\t' => {
  const header = (/^(?:"[^"]*"|[^"\r\n])*/.exec(text)?.[0] ?? text).replace(/"[^"]*"/g, '')
  const count = (delimiter: string): number => header.split(delimiter).length
  return ([',', ';', '\t'] as const).reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Formats a row as CSV. */
export const toCsv = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (/[",;\r\n\t]|^\s|\s$/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join(',')}\r\n`
