import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'

import { startApp } from '../../../test/support/app.ts'
import { makeDossier, makeDossierCharter, type MadeDossier } from '../../../test/support/dossiers.ts'
import { readPdf, type ReadPdf } from '../../../test/support/pdf.ts'
import { findProgram } from '../../../test/support/programs.ts'
import { createTemporaryFolder, removeFolder } from '../../../test/support/temporary-folder.ts'

const SITES = 60
const CHANGES = 3000
/** Five seconds where nothing else runs; the tests share their processors. */
const MAX_MS = 60_000
/** Pages that are drawn: those with each part, and the first ones with changes. */
const DRAWN = 80
const LONG = 'The petitioner’s board reviewed the material revision and asked the authorizer for a decision before its next meeting. '

let made: MadeDossier
let read: ReadPdf
let tookMs: number

beforeAll(async () => {
  const net = await startApp()
  const { charter, affair, sites } = await makeDossierCharter(net, SITES)
  const { db } = net.context
  await net.make.facility(sites[2]?._id ?? '', { lease_notes: LONG.repeat(80), fac_notes: `${'x'.repeat(900)} ${'名前 🙂 '.repeat(20)}` })
  await net.make.member({ charter_affair: affair._id, board_member_name: null })
  // As many changes of one field, each of another moment.
  await sql`
    insert into change (at, "actorName", action, "table", record, parent, before, after)
    select now() - interval '1 hour' + n * interval '1 second', 'Hannah Ashworth', 'update', 'site', ${sites[0]?._id}, ${sites[0]?._id},
      jsonb_build_object('description', ${LONG}::text || n), jsonb_build_object('description', ${LONG}::text || (n + 1)) from generate_series(1, ${CHANGES}) as n`.execute(
    db,
  )
  const begin = performance.now()
  made = await makeDossier(net.as(6), { charter: charter._id })
  tookMs = performance.now() - begin
  read = await readPdf(made.pdf, false)
}, 240_000)

describe(`a dossier of ${SITES} sites with ${CHANGES} changes`, () => {
  test('is made in time, and says everything', () => {
    expect(tookMs).toBeLessThan(MAX_MS)
    expect(read.bookmarks.find(({ title }) => title === 'Sites')?.below).toHaveLength(SITES)
    for (let at = 1; at <= SITES; at++) expect(read.text).toContain(`Señora Ångström ${at} `)
    expect(read.text.match(/Hannah Ashworth/g)).toHaveLength(CHANGES)
  })

  test('repeats the head of a table on each page, and no page has a single row', () => {
    const pages = read.pages.filter((page) => page.includes('Hannah Ashworth'))
    expect(pages.length).toBeGreaterThan(100)
    for (const page of pages) {
      expect(page).toContain('When Who Record What Before After')
      expect(page.match(/\d{2}\/\d{2}\/\d{4} \d{1,2}:\d{2} [AP]M/g)?.length).toBeGreaterThan(1)
    }
  })

  test('continues long texts on the next page, breaks long words, and draws squares for letters that the font does not have', () => {
    expect(read.text.match(/asked the authorizer for a decision before its next meeting/g)?.length).toBeGreaterThan(80)
    expect(read.text.replaceAll(/x\s+x/g, 'xx').match(/x{50,}/)).not.toBeNull()
    expect(read.text).toContain('□')
    expect(read.text).toContain('Board member without a name')
  })

  test('draws its pages within their margins', async (context) => {
    const pdftoppm = findProgram('pdftoppm')
    if (pdftoppm === undefined) return context.skip('pdftoppm is not installed: install the package poppler-utils')
    const folder = await createTemporaryFolder()
    const path = join(folder, 'dossier.pdf')
    await writeFile(path, made.pdf)
    await promisify(execFile)(pdftoppm, ['-r', '36', '-l', String(DRAWN), '-gray', '-png', path, join(folder, 'page')])
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted()
    expect(names).toHaveLength(DRAWN)
    for (const [at, name] of names.entries()) {
      const { data, info } = await sharp(join(folder, name)).greyscale().raw().toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([306, 396])
      const isInk = (x: number, y: number): boolean => (data[(y * info.width + x) * info.channels] ?? 255) < 235
      let inkInside = 0
      const outside: string[] = []
      for (let y = 0; y < info.height; y++)
        for (let x = 0; x < info.width; x++) {
          if (!isInk(x, y)) continue
          // The cover has a band at its top.
          if ((x < 25 || x > 281 || y > 384 || y < 18) && !(at === 0 && y < 6)) outside.push(`${x},${y}`)
          else inkInside++
        }
      expect(outside, name).toEqual([])
      expect(inkInside, name).toBeGreaterThan(300)
    }
    await removeFolder(folder)
    return undefined
  }, 120_000)
})
