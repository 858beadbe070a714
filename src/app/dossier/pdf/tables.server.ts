import { formatDay } from '../../../contract/dates.ts'
import type { Block } from '../document.ts'
import { COLORS, CONTENT_HEIGHT, CONTENT_WIDTH, PAGE, STYLES } from './styles.server.ts'
import type { Element, TaggedPdf } from './tagged-pdf.server.ts'
import type { TextStyle } from './text-layout.server.ts'

const PADDING = 5
const GAP = 12

interface Column {
  readonly label: string
  readonly x: number
  readonly width: number
  readonly style: TextStyle
  /** Its cells are the headers of their rows. */
  readonly isHeader: boolean
}
interface Row {
  readonly cells: readonly (readonly string[])[]
  readonly height: number
}

const getHeight = (cells: Row['cells'], columns: readonly Column[]): number =>
  Math.max(...cells.map((lines, at) => lines.length * (columns[at]?.style.lineHeight ?? 0))) + 2 * PADDING

const toRow = (target: TaggedPdf, texts: readonly string[], columns: readonly Column[]): Row => {
  const cells = columns.map(({ width, style }, at) => target.layout.wrap(texts[at] ?? '', width, style))
  return { cells, height: getHeight(cells, columns) }
}

/** Draws cells of a row at the present position. Elements of a row that was begun on the page before are continued. */
const drawCells = (target: TaggedPdf, cells: Row['cells'], columns: readonly Column[], elements: readonly Element[]): void => {
  for (const [at, { x, style, isHeader }] of columns.entries()) {
    const [lines = [], element] = [cells[at], elements[at]]
    if (element && lines.some((line) => line !== ''))
      target.mark(element, isHeader ? 'TH' : 'TD', () => target.drawLines(lines, x, target.y + PADDING, style))
  }
  target.y += getHeight(cells, columns)
  target.line(target.y)
}

/** The heads of columns: cells of the table on its first page, and an artifact on the others. */
const drawHead = (target: TaggedPdf, columns: readonly Column[], table: Element | null): void => {
  const style = STYLES.head
  const heads = columns.map(({ label, width }) => target.layout.wrap(label, width, style))
  const height = Math.max(...heads.map((lines) => lines.length)) * style.lineHeight + 2 * PADDING
  target.fill(PAGE.left, target.y, CONTENT_WIDTH, height, COLORS.sunken)
  const row = table && target.element(table, 'TR')
  for (const [at, { x }] of columns.entries()) {
    const draw = (): void => target.drawLines(heads[at] ?? [], x, target.y + PADDING, style)
    if (!row) {
      target.artifact(draw, 'Pagination')
      continue
    }
    const head = target.element(row, 'TH', { scope: 'Column' })
    target.mark(head, 'TH', draw)
    target.close(head)
  }
  if (row) target.close(row)
  target.y += height
}

interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  readonly hasHead: boolean
}

/** Room that the head of a table takes; it is one line nearly always. */
const HEAD_HEIGHT = STYLES.head.lineHeight + 2 * PADDING

/** The height that a table needs to begin on a page: its head and two rows. */
export const getFirstHeight = (target: TaggedPdf, { columns, rows, hasHead }: Table): number => {
  const heights = rows.slice(0, 2).map((row) => toRow(target, row, columns).height)
  return Math.min((hasHead ? HEAD_HEIGHT : 0) + heights.reduce((sum, height) => sum + height, 0), CONTENT_HEIGHT / 2)
}

/** Draws a table. Rows stay whole if a page can hold them, heads are repeated, and no page ends or begins with a single row if it can be avoided. */
export const drawTable = (target: TaggedPdf, parent: Element, { columns, rows, hasHead }: Table): void => {
  const table = target.element(parent, 'Table')
  const head = hasHead ? HEAD_HEIGHT : 0
  const continueOnNextPage = (): void => {
    target.addPage()
    if (hasHead) drawHead(target, columns, null)
    else target.line(target.y)
  }
  if (hasHead) drawHead(target, columns, table)
  else target.line(target.y)
  let onPage = 0
  let next = rows[0] && toRow(target, rows[0], columns)
  for (let at = 0; next; at++) {
    const row = next
    next = rows[at + 1] && toRow(target, rows[at + 1] ?? [], columns)
    const room = PAGE.bottom - target.y
    const leavesOne = next !== undefined && at === rows.length - 2 && onPage > 1 && row.height + next.height > room
    const isLarge = row.height > CONTENT_HEIGHT - head
    if (leavesOne || (row.height > room && (!isLarge || room < CONTENT_HEIGHT / 3))) {
      continueOnNextPage()
      onPage = 0
    }
    const element = target.element(table, 'TR')
    const cells = columns.map(({ isHeader }) => target.element(element, isHeader ? 'TH' : 'TD', isHeader ? { scope: 'Row' } : {}))
    let rest = row.cells
    for (;;) {
      const counts = columns.map(({ style }) => Math.floor((PAGE.bottom - target.y - 2 * PADDING) / style.lineHeight))
      drawCells(
        target,
        rest.map((lines, index) => lines.slice(0, counts[index])),
        columns,
        cells,
      )
      rest = rest.map((lines, index) => lines.slice(counts[index]))
      if (rest.every((lines) => lines.length === 0)) break
      continueOnNextPage()
      onPage = 0
    }
    target.close(...cells, element)
    onPage++
  }
  target.close(table)
}

const LABEL_WIDTH = 150

/** A block as a table: the fields of a record have their labels at the left. */
export const toTable = (block: Block): Table => {
  if (block.kind === 'facts') {
    const columns: Column[] = [
      { label: '', x: PAGE.left, width: LABEL_WIDTH - GAP, style: STYLES.factLabel, isHeader: true },
      { label: '', x: PAGE.left + LABEL_WIDTH, width: CONTENT_WIDTH - LABEL_WIDTH, style: STYLES.body, isHeader: false },
    ]
    const filled = block.facts.filter(({ value }) => value !== '')
    return { columns, rows: filled.map(({ label, value, isDay }) => [label, isDay ? formatDay(value) : value]), hasHead: false }
  }
  const total = block.columns.reduce((sum, { width }) => sum + width, 0)
  let x = PAGE.left + PADDING
  const columns = block.columns.map(({ label, width: share }, at): Column => {
    const width = ((CONTENT_WIDTH - PADDING) * share) / total
    const column = { label, x, width: width - GAP / 2, style: at === 0 ? STYLES.firstCell : STYLES.cell, isHeader: at === 0 }
    x += width
    return column
  })
  const rows = block.rows.map((row) => row.map((cell, at) => (block.columns[at]?.isDay ? formatDay(cell) : cell)))
  return { columns, rows, hasHead: true }
}
