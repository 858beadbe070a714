import { expect, test } from 'vitest'

import { network } from '../../../test/app.ts'
import { readWorkbook } from '../../../test/workbooks.ts'
import { downloadList, listDownloads, type ListToWrite } from './contract.ts'
import { listFileNameOf, rowsToSend } from './rules.ts'

const COLUMNS: ListToWrite['columns'] = [
  { label: 'Name', holds: 'text' },
  { label: 'Zip', holds: 'text' },
  { label: 'Students', holds: 'number' },
  { label: 'Count changed', holds: 'day' },
]
const ROWS = [
  ['Fresno, "North"', '00123', 42, '2026-11-20'],
  ['=1+1', '+15595550100', -3, null],
  ["@Zoë O'Neil", '-5', 0, '1899-01-01'],
  [' \tblanks\nand lines ', null, null, null],
] as const
const bodyOf = (format: ListToWrite['format'], rows: Parameters<typeof rowsToSend>[0] = ROWS): ListToWrite => ({
  list: 'Resource Centers',
  format,
  columns: COLUMNS,
  rows: rowsToSend(rows),
})

/** A CSV as a reader by the book (RFC 4180) has it. */
const readCsv = (text: string): string[][] => {
  const rows: string[][] = [[]]
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  expect(rows.pop()).toEqual([])
  return rows
}

test('a list is a workbook: text with its zeros, real days and numbers, nothing ever a formula (D30, D39)', async () => {
  const response = await (await network()).as(10).ask(downloadList, { body: bodyOf('xlsx') })
  expect(response.statusCode).toBe(200)
  expect(decodeURIComponent(String(response.headers['content-disposition']))).toMatch(
    /filename\*=UTF-8''Resource Centers - \d\d-\d\d-\d{4}_\d\d:\d\d[AP]M\.xlsx$/,
  )
  const [sheet] = await readWorkbook(response.rawPayload)
  expect(sheet?.name).toBe('Resource Centers')
  expect(sheet?.heads).toEqual(['Name', 'Zip', 'Students', 'Count changed'])
  expect(sheet?.rows.map((row) => Object.values(row))).toEqual([
    ['Fresno, "North"', '00123', { number: 42 }, { day: '2026-11-20' }],
    ['=1+1', '+15595550100', { number: -3 }, null],
    ["@Zoë O'Neil", '-5', { number: 0 }, '1899-01-01'],
    ['blanks and lines', null, null, null],
  ])
})

test('a list is a CSV: UTF-8 with its mark, quoted by the book, and what would be computed has an apostrophe before it', async () => {
  const response = await (await network()).as(10).ask(downloadList, { body: bodyOf('csv') })
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect([...response.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = response.rawPayload.subarray(3).toString('utf8')
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(readCsv(text)).toEqual([
    ['Name', 'Zip', 'Students', 'Count changed'],
    ['Fresno, "North"', '00123', '42', '2026-11-20'],
    ["'=1+1", "'+15595550100", '-3', ''],
    ["'@Zoë O'Neil", "'-5", '0', '1899-01-01'],
    ['blanks and lines', '', '', ''],
  ])
})

test('an empty list is its head alone', async () => {
  const { as } = await network()
  const csv = await as(10).ask(downloadList, { body: bodyOf('csv', []) })
  expect(readCsv(csv.rawPayload.subarray(3).toString())).toHaveLength(1)
  const [sheet] = await readWorkbook((await as(10).ask(downloadList, { body: bodyOf('xlsx', []) })).rawPayload)
  expect(sheet?.rows).toEqual([])
})

test('100,000 rows go through, and who took them is kept', async () => {
  const { as } = await network()
  const caller = as(10)
  const many = Array.from({ length: 100_000 }, (_, at) => [`Somebody Number ${at}`, String(at).padStart(5, '0'), at, '2026-11-20'])
  const response = await caller.ask(downloadList, { body: bodyOf('csv', many) })
  expect(readCsv(response.rawPayload.subarray(3).toString())).toHaveLength(100_001)
  const { azureID } = await caller.who()
  const mine = async () => (await as(1).send(listDownloads)).find((one) => one.azureID === azureID)
  await expect.poll(mine).toMatchObject({ kind: 'List: Resource Centers (CSV)', rows: 100_000, outcome: 'whole' })
  expect((await mine())?.bytes).toBe(response.rawPayload.length)
})

test('a broken list is refused', async () => {
  const { as } = await network()
  for (const broken of [{ list: '' }, { list: 'two\nlines' }, { format: 'pdf' }, { columns: [] }, { more: 1 }])
    expect((await as(10).request('POST', downloadList.path, { payload: { ...bodyOf('csv'), ...broken } })).statusCode).toBe(422)
})

test('the name of a list’s file is one that a file may have', () => {
  expect(listFileNameOf('North/South: "1"?', 'csv', new Date('2026-11-21T01:05:00Z'), 'America/Los_Angeles')).toBe(
    'North South 1 - 11-20-2026_05:05PM.csv',
  )
})

test('a list may be called anything, and has its name in plain letters for whoever cannot read it', async () => {
  const response = await (await network()).as(10).ask(downloadList, { body: { ...bodyOf('csv'), list: 'Sites of O’Brien “Łódź” (中文)' } })
  expect(response.statusCode).toBe(200)
  const disposition = String(response.headers['content-disposition'])
  expect(disposition).toMatch(/^attachment; filename="[ -~]+\.csv"; filename\*=UTF-8''[\w.%~!$&+^`|-]+$/)
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toMatch(/^Sites of O’Brien “Łódź” \(中文\) - /)
})

test('rows and cells beyond what a page shows are refused before anything is made of them', async () => {
  const me = (await network()).as(10)
  const column = COLUMNS[0] ?? { label: 'Name', holds: 'text' as const }
  for (const [columns, rows] of [
    [[column], '\n'.repeat(100_000)],
    [Array.from({ length: 60 }, () => column), '\n'.repeat(60_000)],
  ] as const) {
    const response = await me.ask(downloadList, { body: { ...bodyOf('xlsx'), columns: [...columns], rows } })
    expect([response.statusCode, response.json().errors[0].path]).toEqual([422, 'rows'])
  }
})
