import { readXlsx } from 'hucre/xlsx'

import { downloads } from '../../../src/features/exchange/exports/contract.ts'
import { downloadList } from '../../../src/features/records/list-download/contract.ts'
import type { TestServer } from '../../support/server.ts'

interface Counted {
  cells: number
  formulas: number
}

const COMPUTED = /^[=+\-@\t\r]/
/** The lists of records that contain payloads. */
const LISTS = ['sites', 'charters', 'brands', 'leadership', 'support'] as const

/** The cells of a CSV as a spreadsheet reads them, unquoted. */
const parseCells = (csv: string): string[] =>
  [...csv.matchAll(/"((?:[^"]|"")*)"|[^",\r\n]+/g)].map(([cell, quoted]) => quoted?.replaceAll('""', '"') ?? cell)

/** Downloads every workbook, and the lists as workbook and CSV: counts cells, and those that would be evaluated. */
export const countFormulas = async (
  { url }: TestServer,
  headers: Readonly<Record<string, string>>,
  texts: readonly string[],
): Promise<Counted> => {
  const counted: Counted = { cells: 0, formulas: 0 }
  const take = async (path: string, body?: object): Promise<Buffer> => {
    const response = await fetch(`${url}${path}`, {
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const read = async (file: Buffer): Promise<void> => {
    const { sheets } = await readXlsx(file)
    for (const { rows, cells } of sheets) {
      for (const cell of rows.flat()) if (typeof cell === 'string' && texts.some((text) => cell.includes(text))) counted.cells++
      counted.formulas += [...(cells?.values() ?? [])].filter(({ formula }) => formula !== undefined).length
    }
  }
  for (const { path } of Object.values(downloads)) await read(await take(path))
  for (const list of LISTS) {
    await read(await take(downloadList.path, { list, format: 'xlsx' }))
    for (const cell of parseCells((await take(downloadList.path, { list, format: 'csv' })).toString().replace('\uFEFF', ''))) {
      counted.cells++
      if (COMPUTED.test(cell)) counted.formulas++
    }
  }
  return counted
}

/** How many HTML parts of mails contain a payload unescaped; `texts` are the payloads, of which those without a tag are safe as they are. */
export const countUnescapedMails = (parts: readonly string[], texts: readonly string[]): number => {
  const tags = texts.filter((text) => text.includes('<'))
  return parts.filter((html) => tags.some((text) => html.includes(text))).length
}
