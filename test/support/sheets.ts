import { readXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { expect } from 'vitest'

import type { SheetKind } from '../../src/contract/sheets.ts'
import { downloadSheet, previewSheet } from '../../src/features/changing/sheets/contract.ts'
import { startApp } from './app.ts'

type App = Awaited<ReturnType<typeof startApp>>
export type Rows = (string | number | boolean | Date | null)[][]

export const startWithSites = async (count = 3) => {
  const app = await startApp()
  const region = await app.make.region()
  const charter = await app.make.charter({ name: 'Harbor Charter' })
  const sites = []
  for (let at = 0; at < count; at++)
    sites.push(
      await app.make.site({
        displayName: `Site ${String(at).padStart(2, '0')}`,
        city: 'Lodi',
        zip: `0${5000 + at}`,
        charter: charter._id,
        region: region._id,
      }),
    )
  return { app, me: app.as(5), charter, sites }
}
type Me = ReturnType<App['as']>

export const downloadRows = async (me: Me, kind: SheetKind, query: object = {}): Promise<Rows> => {
  const response = await me.trySend(downloadSheet, { params: { kind }, query })
  expect(response.statusCode).toBe(200)
  const { sheets } = await readXlsx(response.rawPayload)
  return sheets[0]!.rows
}
export const toSheetFile = async (rows: Rows, more: Partial<WriteSheet> = {}): Promise<Blob> =>
  new Blob([Buffer.from(await writeXlsx({ sheets: [{ name: 'Sites', rows, ...more }] }))])
export const findColumn = (rows: Rows, header: string): number => rows[0]!.indexOf(header)
export const uploadSheet = async (me: Me, kind: SheetKind, file: Blob) => me.send(previewSheet, { params: { kind }, file })
export const editCell = (rows: Rows, row: number, header: string, value: string | number | Date | null): Rows =>
  rows.map((cells, at) => (at === row ? cells.map((cell, index) => (index === findColumn(rows, header) ? value : cell)) : cells))
export const toLetters = (at: number): string => (at >= 26 ? toLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
export const readStoredSite = (app: App, _id: string) =>
  app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()
