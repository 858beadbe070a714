import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { applySheet, downloadSheet, previewSheet } from '../../src/features/changing/sheets/contract.ts'
import { createZip } from '../../src/platform/server/zip.ts'
import { updateFacility } from '../../src/records/facility/contract.ts'
import { startApp } from '../support/app.ts'

// A workbook with the peculiarities of Google Sheets exports: numbers and days with `.0`, 1,000 rows with styled empty cells, formulas with cached
// text, no document properties, and no protection.

type Cell = string | number | boolean | null | { readonly day: number } | { readonly formula: string; readonly shows: string }

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const toLetters = (at: number): string => (at >= 26 ? toLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
const ALL_ROWS = 1000

const writeWorkbook = (
  sheets: readonly { readonly name: string; readonly isHidden?: boolean; readonly rows: readonly (readonly Cell[])[] }[],
) => {
  const texts: string[] = []
  const share = (text: string): number => {
    const known = texts.indexOf(text)
    return known === -1 ? texts.push(text) - 1 : known
  }
  const toCell = (cell: Cell | undefined, address: string): string => {
    if (cell === null || cell === undefined || cell === '') return `<c r="${address}" s="2"/>`
    if (typeof cell === 'string') return `<c r="${address}" s="1" t="s"><v>${share(cell)}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${address}" s="2" t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'number') return `<c r="${address}" s="2"><v>${cell.toFixed(1)}</v></c>`
    if ('day' in cell) return `<c r="${address}" s="3"><v>${cell.day.toFixed(1)}</v></c>`
    return `<c r="${address}" s="2" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.shows)}</v></c>`
  }
  const toSheet = (rows: readonly (readonly Cell[])[]): string => {
    const width = rows[0]?.length ?? 0
    const lines = Array.from({ length: ALL_ROWS }, (_, row) => {
      const cells = Array.from({ length: width }, (_one, at) => toCell(rows[row]?.[at], `${toLetters(at)}${row + 1}`))
      return `<row r="${row + 1}" ht="15.75" customHeight="1">${cells.join('')}</row>`
    })
    return `${XML}<worksheet ${MAIN}><sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/><cols><col hidden="1" min="1" max="2" width="12.63"/></cols><sheetData>${lines.join('')}</sheetData></worksheet>`
  }
  const parts = sheets.map(({ rows }) => toSheet(rows))
  const relation = (nth: number, type: string, target: string) =>
    `<Relationship Id="rId${nth}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const relations = (inner: string) =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  const override = (name: string, type: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`
  const files = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ContentType="application/xml" Extension="xml"/><Default ContentType="application/vnd.openxmlformats-package.relationships+xml" Extension="rels"/>${sheets.map((_, at) => override(`xl/worksheets/sheet${at + 1}.xml`, 'worksheet')).join('')}${override('xl/sharedStrings.xml', 'sharedStrings')}${override('xl/styles.xml', 'styles')}${override('xl/workbook.xml', 'sheet.main')}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `${XML}<workbook ${MAIN}><workbookPr/><sheets>${sheets.map(({ name, isHidden }, at) => `<sheet ${isHidden ? 'state="hidden" ' : ''}name="${name}" sheetId="${at + 1}" r:id="rId${at + 3}"/>`).join('')}</sheets><definedNames/><calcPr/></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      [
        relation(1, 'styles', 'styles.xml'),
        relation(2, 'sharedStrings', 'sharedStrings.xml'),
        ...sheets.map((_, at) => relation(at + 3, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
      ].join(''),
    ),
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="m/d/yyyy"/></numFmts><fonts count="1"><font><sz val="10.0"/><name val="Arial"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf numFmtId="49" xfId="0" applyNumberFormat="1"/><xf xfId="0" applyAlignment="1"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(parts.map((part, at) => [`xl/worksheets/sheet${at + 1}.xml`, part])),
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN} count="${texts.length}" uniqueCount="${texts.length}">${texts.map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('')}</sst>`,
  }
  return buffer(Readable.from(createZip(Object.entries(files).map(([name, text]) => ({ name, text: [text] })))))
}
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main"'

/** Days since December 30, 1899, as a spreadsheet stores a date. */
const toSerial = (day: Date): number => Math.round((day.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000)

const start = async () => {
  const app = await startApp()
  for (const name of ['Lodi', 'Galt', 'Acampo']) {
    const site = await app.make.site({ displayName: name, zip: '05001' })
    await app
      .as(6)
      .send(updateFacility, { params: { id: site._id }, body: { facility_info: { lease_start: '2024-07-01', sq_footage: '1200' } } })
  }
  const me = app.as(6)
  /** Downloads a workbook, changes cells of its first sheet like Google Sheets does, and uploads the export. */
  const change = async (kind: 'sites' | 'facilities', edits: readonly (readonly [row: number, header: string, cell: Cell])[] = []) => {
    const { rawPayload } = await me.trySend(downloadSheet, { params: { kind } })
    const { sheets } = await readXlsx(rawPayload)
    const toCell = (cell: unknown): Cell => (cell instanceof Date ? { day: toSerial(cell) } : (cell as Cell))
    const [main, ...others] = sheets.map(({ name, rows }, at) => ({ name, isHidden: at > 1, rows: rows.map((cells) => cells.map(toCell)) }))
    for (const [row, header, cell] of edits) main!.rows[row]![main!.rows[0]!.indexOf(header)] = cell
    const bytes = await writeWorkbook([main!, ...others])
    return me.send(previewSheet, { params: { kind }, file: new Blob([bytes]) })
  }
  return { me, change }
}

test('a file that Google Sheets exported unchanged changes nothing', async () => {
  const { change } = await start()
  for (const kind of ['sites', 'facilities'] as const)
    expect(await change(kind)).toMatchObject({ rows: 3, unchanged: 3, newRows: 0, cells: [], warnings: [] })
})

test('changes made in Google Sheets are read: texts, numbers and dates ending in “.0”, formulas by their displayed value', async () => {
  const { me, change } = await start()
  const found = await change('facilities', [
    [1, 'Square footage', 1500],
    [2, 'Lease start', { day: toSerial(new Date('2027-03-04')) }],
    [3, 'County', { formula: 'UPPER("napa")', shows: 'NAPA' }],
  ])
  expect(found.cells.map(({ field, after, state }) => [field, after, state])).toEqual([
    ['facility_info.sq_footage', '1500', 'change'],
    ['facility_info.lease_start', '2027-03-04', 'change'],
    ['facility_info.county', 'NAPA', 'change'],
  ])
  expect(found.warnings).toMatchObject([{ kind: 'formula' }])
  expect(await me.send(applySheet, { params: { id: found._id }, body: {} })).toMatchObject({ changed: 3 })
})

test('a ZIP code that Google Sheets stored as a number is an error, not a shorter code', async () => {
  const { change } = await start()
  const found = await change('sites', [[1, 'ZIP code', 5002]])
  expect(found.cells).toMatchObject([{ field: 'address.zip', after: '5002', state: 'error', message: 'Enter exactly five digits' }])
})
