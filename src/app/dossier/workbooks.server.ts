import { createHash } from 'node:crypto'

import { formatDay } from '../../contract/dates.ts'
import { type SheetColumn, type SheetSource, writeWorkbook } from '../../platform/server/workbook-writer.ts'
import { createZip } from '../../platform/server/zip.ts'
import type { Block, DossierDocument, Fact, Group, Section } from './document.ts'

type Rows = readonly (readonly string[])[]
interface Sheet {
  readonly columns: readonly SheetColumn[]
  readonly rows: Rows
}

const MIN_WIDTH = 12
const MAX_WIDTH = 48
const toColumn = (header: string, isDay = false, cells: readonly string[] = []): SheetColumn => ({
  header,
  kind: isDay ? 'day' : 'text',
  width: Math.min(Math.max(MIN_WIDTH, header.length + 4, ...cells.slice(0, 50).map(({ length }) => length + 2)), MAX_WIDTH),
})

interface Found<B extends Block> {
  readonly group: Group
  readonly block: B
}
type FactsBlock = Extract<Block, { kind: 'facts' }>
type TableBlock = Extract<Block, { kind: 'table' }>

/** The fields of records, a row for each record. */
const toRecordSheet = (record: string, found: readonly Found<FactsBlock>[]): Sheet => {
  const labels = new Map<string, Fact>(found.flatMap(({ block }) => block.facts.map((fact) => [fact.label, fact] as const)))
  const days = new Set(found.flatMap(({ block }) => block.facts.filter(({ isDay }) => isDay).map(({ label }) => label)))
  const rows = found.map(({ group, block }) => {
    const values = new Map(block.facts.map(({ label, value }) => [label, value]))
    return [group.title ?? '', ...[...labels.keys()].map((label) => values.get(label) ?? '')]
  })
  const columns = [record, ...labels.keys()].map((label, at) =>
    toColumn(
      label,
      days.has(label),
      rows.map((row) => row[at] ?? ''),
    ),
  )
  return { columns, rows }
}

/** The fields of the charter, a row for each field. */
const toFieldSheet = (found: readonly Found<FactsBlock>[]): Sheet => ({
  columns: [
    { header: 'Section', kind: 'text', width: 28 },
    { header: 'Field', kind: 'text', width: 40 },
    { header: 'Value', kind: 'text', width: 80 },
  ],
  rows: found.flatMap(({ block }) =>
    block.facts.map(({ label, value, isDay }) => [block.title ?? block.sheet, label, isDay ? formatDay(value) : value]),
  ),
})

const toTableSheet = (record: string | undefined, found: readonly Found<TableBlock>[]): Sheet => {
  const columns = found[0]?.block.columns ?? []
  const rows = found.flatMap(({ group, block }) =>
    record === undefined ? block.rows : block.rows.map((row) => [group.title ?? '', ...row]),
  )
  const heads = [...(record === undefined ? [] : [{ label: record }]), ...columns] as { label: string; isDay?: true }[]
  return {
    columns: heads.map(({ label, isDay }, at) =>
      toColumn(
        label,
        isDay,
        rows.map((row) => row[at] ?? ''),
      ),
    ),
    rows,
  }
}

const toSheet = (section: Section, found: readonly Found<Block>[]): Sheet => {
  const isFacts = (one: Found<Block>): one is Found<FactsBlock> => one.block.kind === 'facts'
  const facts = found.filter((one) => isFacts(one))
  if (facts.length === 0) return toTableSheet(section.record, found as readonly Found<TableBlock>[])
  return section.record === undefined ? toFieldSheet(facts) : toRecordSheet(section.record, facts)
}

async function* toBatches(rows: Rows): AsyncGenerator<Rows> {
  yield rows
}

/** The sheets of a part; one with a sentence if there is nothing. */
const listSheets = (section: Section): SheetSource[] => {
  const found = section.groups.flatMap((group) => group.blocks.map((block): Found<Block> => ({ group, block })))
  if (found.length === 0)
    return [{ name: section.title, columns: [{ header: section.empty ?? '', kind: 'text', width: 80 }], batches: toBatches([]) }]
  return [...Map.groupBy(found, ({ block }) => block.sheet)].map(([name, ofSheet]) => {
    const { columns, rows } = toSheet(section, ofSheet)
    return { name, columns, batches: toBatches(rows) }
  })
}

const toBytes = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(chunks))

/** A name that every file system takes. */
const toFileName = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '-')

/** The ZIP of a dossier: the PDF, a workbook for each part, and their SHA-256 sums as `sha256sum --check` reads them. */
export const writeZip = async ({ fileName, sections }: DossierDocument, pdf: Uint8Array): Promise<Buffer> => {
  const files: { readonly name: string; readonly bytes: Uint8Array }[] = [{ name: `${toFileName(fileName)}.pdf`, bytes: pdf }]
  for (const [at, section] of sections.entries())
    files.push({
      name: `${String(at + 1).padStart(2, '0')} ${section.title}.xlsx`,
      bytes: await toBytes(writeWorkbook(listSheets(section))),
    })
  const sums = files.map(({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
  return toBytes(
    createZip([...files.map(({ name, bytes }) => ({ name, text: [bytes] })), { name: 'SHA256SUMS.txt', text: [sums.join('')] }]),
  )
}
