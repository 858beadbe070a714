import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'

import { downloads } from '../../../src/app/exports/contract.ts'
import type { Call } from '../../../src/contract/call.ts'
import { downloadList } from '../../../src/records/list-download/contract.ts'
import { toRequest } from '../../support/api-client.ts'
import type { TestServer } from '../../support/server.ts'

const COMPUTED = /^[=+\-@\t\r]/
/** The lists of records that contain payloads. */
const LISTS = ['sites', 'charters', 'brands', 'leadership', 'support']

/** Downloads every workbook, and the lists as workbook and CSV: counts cells, and those that would be evaluated. */
export const countFormulas = async ({ url }: TestServer, headers: Readonly<Record<string, string>>, texts: readonly string[]) => {
  const counted = { cells: 0, formulas: 0 }
  const download = async ({ method, path }: Call, body?: object): Promise<Buffer> => {
    const response = await fetch(`${url}${path}`, toRequest(method, headers, body))
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const readWorkbook = async (file: Buffer): Promise<void> => {
    for (const { rows, cells } of (await readXlsx(file)).sheets) {
      counted.cells += rows.flat().filter((cell) => typeof cell === 'string' && texts.some((text) => cell.includes(text))).length
      counted.formulas += [...(cells?.values() ?? [])].filter(({ formula }) => formula !== undefined).length
    }
  }
  for (const call of Object.values(downloads)) await readWorkbook(await download(call))
  for (const list of LISTS) {
    await readWorkbook(await download(downloadList, { list, format: 'xlsx' }))
    const csv = (await download(downloadList, { list, format: 'csv' })).toString()
    const cells = parseCsv(csv, { delimiter: ',' }).flat().map(String).filter(Boolean)
    counted.cells += cells.length
    counted.formulas += cells.filter((cell) => COMPUTED.test(cell)).length
  }
  return counted
}
