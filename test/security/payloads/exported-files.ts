import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'

import { createDossier, type Dossier, downloadDossierZip, readDossier } from '../../../src/app/dossier/contract.ts'
import { downloads } from '../../../src/app/exports/contract.ts'
import type { Call } from '../../../src/contract/call.ts'
import { downloadList } from '../../../src/records/list-download/contract.ts'
import { fetchJson, fillPath, toRequest } from '../../support/api-client.ts'
import type { TestServer } from '../../support/server.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { unzip } from '../../support/zip.ts'

const COMPUTED = /^[=+\-@\t\r]/
/** The lists of records that contain payloads. */
const LISTS = ['sites', 'charters', 'brands', 'staff', 'leadership', 'support']

/** Downloads every workbook, the lists as workbook and CSV, and dossiers of charters: counts cells, and those that would be evaluated. */
export const countFormulas = async (
  { url }: TestServer,
  headers: Readonly<Record<string, string>>,
  texts: readonly string[],
  charters: readonly string[],
) => {
  const counted = { cells: 0, formulas: 0 }
  const download = async (call: Call, body?: object, params?: object): Promise<Buffer> => {
    const path = fillPath(call, params)
    const response = await fetch(`${url}${path}`, toRequest(call.method, headers, body))
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }
  const downloadDossier = async (charter: string): Promise<Buffer> => {
    const { _id } = await fetchJson<{ _id: string }>(`${url}${createDossier.path}`, toRequest('POST', headers, { charter }))
    const read = () => fetchJson<Dossier>(`${url}${fillPath(readDossier, { id: _id })}`, { headers })
    await waitUntil(`the dossier of ${charter} is made`, async () => (await read()).state === 'done')
    return download(downloadDossierZip, undefined, { id: _id })
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
  for (const charter of charters)
    for (const [name, file] of unzip(await downloadDossier(charter))) if (name.endsWith('.xlsx')) await readWorkbook(file)
  return counted
}
