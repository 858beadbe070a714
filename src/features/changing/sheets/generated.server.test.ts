import fc from 'fast-check'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import type { SheetKind } from '../../../contract/sheets.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { undoChangeset } from '../changesets/contract.ts'
import { readHistory } from '../history/contract.ts'
import { applySheet, downloadSheet, previewSheet } from './contract.ts'

// Random edits of a sheet result in the same records as the same edits in forms, and undoing them restores the previous records.

const SITES = 6
const RUNS = process.env['TEST_ALL'] === '1' ? 40 : 3

/** A field: its header, its path in the body of the form's call, and values as cells and as sent by the form. */
interface EditedField {
  readonly kind: SheetKind
  readonly header: string
  readonly path: readonly [string, string] | readonly [string]
  readonly values: readonly (readonly [cell: string | Date, value: unknown])[]
}
/** Fields maintained by the program, and fields that differ between two otherwise equal sites. A save counts as a check. */
const KEPT_BY_THE_PROGRAM = new Set([
  '_id',
  'slug',
  'site',
  'charter',
  'version',
  'updatedAt',
  'updatedBy',
  'checkedAt',
  'checkedBy',
  'checkVersion',
])
const omit = <T extends object>(row: T, names: ReadonlySet<string>): T =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name))) as T
const same = (...values: string[]) => values.map((value) => [value, value] as const)
const FIELDS: readonly EditedField[] = [
  { kind: 'sites', header: 'Display name', path: ['displayName'], values: same('North Annex', 'Ünïcode – Center', '=1+1') },
  {
    kind: 'sites',
    header: 'Finance number',
    path: ['finance_id'],
    values: [
      ['007', '007'],
      ['', null],
    ],
  },
  { kind: 'sites', header: 'City', path: ['address', 'city'], values: same('Galt', 'San José', '  Lodi East ') },
  { kind: 'sites', header: 'ZIP code', path: ['address', 'zip'], values: same('00501', '95240') },
  {
    kind: 'sites',
    header: 'Fax',
    path: ['address', 'fax'],
    values: [
      ['2095550142', '2095550142'],
      ['', null],
    ],
  },
  { kind: 'sites', header: 'Description', path: ['address', 'description'], values: same('Two\nlines', '<b>not bold</b>', '—') },
  { kind: 'sites', header: 'State', path: ['address', 'state'], values: same('TX', 'OH') },
  {
    kind: 'facilities',
    header: 'Lease start',
    path: ['facility_info', 'lease_start'],
    values: [
      [new Date('2028-02-29T00:00:00Z'), '2028-02-29'],
      ['7/1/2027', '2027-07-01'],
      ['', null],
    ],
  },
  {
    kind: 'facilities',
    header: 'Partnership',
    path: ['facility_info', 'partnership'],
    values: [
      ['Yes', true],
      ['no', false],
    ],
  },
  { kind: 'facilities', header: 'Base rent', path: ['facility_info', 'base_rent'], values: same('$1,200.50', '1200') },
  { kind: 'facilities', header: 'Lease notes', path: ['facility_info', 'lease_notes'], values: same('a; b, "c"', 'x') },
]

const edits = fc.uniqueArray(fc.record({ site: fc.nat(SITES - 1), field: fc.nat(FIELDS.length - 1), value: fc.nat(7) }), {
  selector: ({ site, field }) => `${site} ${field}`,
  minLength: 1,
  maxLength: 12,
})

test('random edits in a sheet have the same result as in the forms, and undoing them restores every value', async () => {
  const app = await startApp()
  let me = app.as(6)
  const region = await app.make.region()
  const makeSites = async (prefix: string) => {
    const sites: string[] = []
    for (let at = 0; at < SITES; at++)
      sites.push(
        (
          await app.make.site({
            displayName: `${prefix} ${at}`,
            name: `Site ${at}`,
            city: 'Lodi',
            zip: `0500${at}`,
            region: region._id,
            finance_id: `0${at}`,
          })
        )._id,
      )
    return sites
  }
  const readAll = async (ids: readonly string[]) => {
    const rows = []
    for (const _id of ids) {
      const site = await app.context.db.selectFrom('site').selectAll().where('_id', '=', _id).executeTakeFirstOrThrow()
      const facility = await app.context.db.selectFrom('facility').selectAll().where('site', '=', _id).executeTakeFirstOrThrow()
      const { displayName, ...fields } = { ...omit(facility, KEPT_BY_THE_PROGRAM), ...omit(site, KEPT_BY_THE_PROGRAM) }
      rows.push({ ...fields, displayName: displayName.replace(/^Run \d+ (sheet|form) /, '') })
    }
    return rows
  }
  /** Uploads the edits of one kind and saves them; returns the changeset. */
  const saveSheet = async (
    bySheet: readonly string[],
    kind: SheetKind,
    expectedEdits: readonly { site: number; field: EditedField; cell: string | Date }[],
  ) => {
    const response = await me.trySend(downloadSheet, { params: { kind }, query: { ids: bySheet.join(',') } })
    const rows = (await readXlsx(response.rawPayload)).sheets[0]!.rows
    const edited = rows.map((cells, nth) =>
      cells.map(
        (cell, at) =>
          expectedEdits.find(({ site, field }) => nth > 0 && cells[0] === bySheet[site] && rows[0]![at] === field.header)?.cell ?? cell,
      ),
    )
    const upload = (table: typeof rows) =>
      writeXlsx({ sheets: [{ name: 'Any', rows: table }] }).then((bytes) => new Blob([Buffer.from(bytes)]))
    expect(await me.send(previewSheet, { params: { kind }, file: await upload(rows) })).toMatchObject({
      cells: [],
      warnings: [],
      unchanged: SITES,
    })
    const { _id, cells } = await me.send(previewSheet, { params: { kind }, file: await upload(edited) })
    expect(cells.filter(({ state }) => state !== 'change')).toEqual([])
    return (await me.send(applySheet, { params: { id: _id }, body: { warningsAccepted: true } })).changeset?._id
  }
  const saveForm = async (_id: string, { kind, path: [outer, inner] }: EditedField, value: unknown) => {
    const body = inner === undefined ? { [outer]: value } : { [outer]: { [inner]: value } }
    const response = await me.trySend(kind === 'sites' ? updateSite : updateFacility, { params: { id: _id }, body })
    expect(response.statusCode, response.body).toBe(200)
  }
  let run = 0
  await fc.assert(
    fc.asyncProperty(edits, async (chosen) => {
      me = app.as(6) // the rate of uploads is limited per person
      const [bySheet, byForm] = [await makeSites(`Run ${++run} sheet Site`), await makeSites(`Run ${run} form Site`)]
      const before = await readAll(bySheet)
      expect(await readAll(byForm)).toEqual(before)
      const expectedEdits = chosen.map(({ site, field, value }) => {
        const { values } = FIELDS[field]!
        const [cell, sent] = values[value % values.length]!
        return { site, field: FIELDS[field]!, cell, sent }
      })
      const changesets: string[] = []
      for (const kind of ['sites', 'facilities'] as const) {
        const saved = await saveSheet(
          bySheet,
          kind,
          expectedEdits.filter(({ field }) => field.kind === kind),
        )
        if (saved !== undefined) changesets.push(saved)
      }
      for (const { site, field, sent } of expectedEdits) await saveForm(byForm[site]!, field, sent)
      const after = await readAll(bySheet)
      expect(await readAll(byForm)).toEqual(after)
      const changed = bySheet.filter((_, site) => JSON.stringify(after[site]) !== JSON.stringify(before[site]))
      for (const id of changed) {
        const { changes } = await me.send(readHistory, { params: { kind: 'site', id } })
        expect(changes[0]!.changeset).toMatchObject({ kind: 'sheet', title: expect.any(String) })
        expect(changesets).toContain(changes[0]!.changeset!._id)
      }
      for (const id of changesets.toReversed()) expect((await me.send(undoChangeset, { params: { id }, body: {} })).left).toEqual([])
      expect(await readAll(bySheet)).toEqual(before)
    }),
    { numRuns: RUNS },
  )
}, 300_000)
