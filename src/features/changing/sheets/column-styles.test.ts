import { inflateRawSync } from 'node:zlib'

import { type Cell, readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { findZipData, listZipEntries } from '../../../platform/server/zip-entries.ts'
import { styleColumns } from './column-styles.server.ts'

const TEXT = { numFmt: '@', protection: { locked: false } }
const DAY = { numFmt: 'mm/dd/yyyy', protection: { locked: false } }
const GRAY = { protection: { locked: true } }
const HEAD = { font: { bold: true } }

const readXml = (bytes: Uint8Array): string => {
  const entry = listZipEntries(bytes).find(({ name }) => name === 'xl/worksheets/sheet1.xml')!
  const data = findZipData(bytes, entry)
  return (entry.method === 0 ? Buffer.from(data) : inflateRawSync(data)).toString('utf8')
}

test('the columns of a sheet have the format of their cells, so that a new row keeps leading zeros and can be typed into', async () => {
  const sheet: WriteSheet = {
    name: 'Sites',
    columns: [{ header: '_id', width: 12 }, ...[TEXT, TEXT, DAY].map((style) => ({ header: 'Field', width: 20, style }))],
    rows: [
      ['_id', 'Only new', 'Name 😀', 'Day'],
      ['1', 'x', 'Lodi', new Date('2027-06-30')],
      ['2', 'y', null, null],
    ],
    cells: new Map<string, Partial<Cell>>([
      ...[0, 1, 2, 3].map((at) => [`0,${at}`, { style: HEAD }] as [string, Partial<Cell>]),
      ...[1, 2].map((row) => [`${row},1`, { style: GRAY }] as [string, Partial<Cell>]),
    ]),
  }
  const plain = await writeXlsx({ sheets: [sheet] })
  const styled = await styleColumns(plain, sheet)
  const xml = readXml(styled)
  const styleOf = (cell: string) => new RegExp(`<c r="${cell}"[^>]* s="(\\d+)"`).exec(xml)?.[1]
  const columns = [...xml.matchAll(/<col [^>]*>/g)].map(([tag]) => / style="(\d+)"/.exec(tag)?.[1])
  expect(styleOf('C3')).not.toBe(styleOf('B3'))
  expect(columns).toEqual([undefined, styleOf('C3'), styleOf('C3'), styleOf('D3')])
  expect((await readXlsx(styled)).sheets[0]!.rows).toEqual((await readXlsx(plain)).sheets[0]!.rows)
})
