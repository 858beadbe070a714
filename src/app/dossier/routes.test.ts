import { createHash, randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import sax from 'sax'
import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { makeDossier, makeDossierCharter, type MadeDossier, waitForDossier } from '../../../test/support/dossiers.ts'
import { readPdf, type ReadPdf } from '../../../test/support/pdf.ts'
import { readWorkbook } from '../../../test/support/workbooks.ts'
import { unzip } from '../../../test/support/zip.ts'
import { toIsoDay } from '../../contract/dates.ts'
import { createCheck } from '../../features/changing/checks/contract.ts'
import { createDeadline, updateDeadline } from '../../features/deadlines/deadlines/contract.ts'
import { listAuditEvents } from '../../features/operations/audit/contract.ts'
import { affairLabels, memberLabels } from '../../records/charter-affairs/fields.ts'
import { updateSite } from '../../records/sites/contract.ts'
import { deleteExpiredLogs } from '../cleanup.server.ts'
import { createDossier, downloadDossierPdf, downloadDossierZip, listDossiers, readDossier, verifyDossier } from './contract.ts'
import { claimDossier, makeDossier as makeClaimed } from './mutations.server.ts'
import { DOSSIER_PARTS, MAX_CHANGES, PART_TEXTS } from './rules.ts'

let net: TestApp
let made: MadeDossier
let read: ReadPdf
let setUp: Awaited<ReturnType<typeof makeDossierCharter>>

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  net = await startApp()
  setUp = await makeDossierCharter(net)
  const { charter, sites } = setUp
  const officer = net.as(5)
  const charterOf = { charter: charter._id, kind: 'oversight' } as const
  const kept = await officer.send(createDeadline, { body: { ...charterOf, title: 'Annual report', date: '2099-01-31', yearly: true } })
  await officer.send(updateDeadline, { params: { id: kept._id }, body: { state: 'handled' } })
  await officer.send(createDeadline, { body: { ...charterOf, title: 'Audit of the year', date: '2026-10-01' } })
  await officer.send(updateSite, { params: { id: sites[0]?._id ?? '' }, body: { address: { description: 'Second floor' } } })
  await officer.send(createCheck, { body: { kind: 'site', _id: sites[1]?._id ?? '' } })
  made = await makeDossier(net.as(6), { charter: charter.slug })
  read = await readPdf(made.pdf)
})

describe('a dossier of today', () => {
  test('has every part in order, as a chapter with a bookmark and a line of the contents that leads to its page', () => {
    const titles = DOSSIER_PARTS.map((part) => PART_TEXTS[part].title)
    expect(read.bookmarks.map(({ title }) => title)).toEqual(['Cover', 'Contents', ...titles])
    expect(read.bookmarks.find(({ title }) => title === 'Sites')?.below).toEqual(['Côte-d’Or Center 1', 'Côte-d’Or Center 2'])
    const linked = read.links.map((page) => read.pages[page - 1] ?? '')
    const records = read.bookmarks.reduce((sum, { below }) => sum + below.length, 0)
    expect(read.links).toHaveLength(titles.length + records)
    for (const title of titles) expect(linked.some((page) => page.includes(title))).toBe(true)
    for (const { title, below } of read.bookmarks.slice(2)) for (const one of [title, ...below]) expect(read.pages[1]).toContain(one)
  })

  test('says what was recorded, with accents', () => {
    for (const text of [
      'Łódź Nguyễn Academy',
      'Santa Clara County Office of Education',
      'Zażółć gęślą jaźń',
      'Bright Harbor, Inc.',
      'Đặng Thị Hương',
      'Modesto City High',
      'Señora Ångström 2',
      'Fairway Properties',
      '05/31/2031',
      'Evening Diploma Program',
    ])
      expect(read.text).toContain(text)
    for (const label of [affairLabels.charter_terms.no_of_approved_locations, memberLabels.board_position])
      expect(read.text).toContain(label)
  })

  test('says which deadlines were kept and missed, what changed with who and when, and what was checked', async () => {
    const find = (title: string): string => read.pages.filter((page) => page.includes(title) && !page.includes('Contents')).join(' ')
    const deadlines = find('A deadline is kept if')
    expect(deadlines).toMatch(/Missed .*Audit of the year 10\/01\/2026 Oversight Łódź Nguyễn Academy Not handled.*Kept/)
    expect(deadlines).toMatch(/Ahead .*Annual report 01\/31\/2100/)
    expect(read.text).toMatch(
      /\d{2}\/\d{2}\/\d{4} \d{1,2}:\d{2} [AP]M Level 5 \w+ Côte-d’Or Center 1 changed the site: Description Second floor/,
    )
    expect(read.text).toContain('Côte-d’Or Center 2 checked the site')
    expect(find('statement that everything')).toMatch(/Côte-d’Or Center 1 Never Côte-d’Or Center 2 \d{2}\/\d{2}/)
  })

  test('has its source, its day and its number on each page but the cover', () => {
    for (const [at, page] of read.pages.entries()) {
      if (at === 0) continue
      expect(page).toContain(`Page ${at + 1} of ${read.pages.length}`)
      expect(page).toContain(`Source: Homeroom at 127.0.0.1:3000, dossier ${made.dossier._id}`)
      expect(page).toMatch(/State of November \d+, 2026/)
    }
    expect(read.pages).toHaveLength(made.dossier.pages ?? 0)
  })

  test('is tagged, with its language, its title and all fonts embedded (PDF/UA)', () => {
    const raw = made.pdf.toString('latin1')
    expect(read.isMarked).toBe(true)
    for (const part of [
      '/Lang (en-US)',
      '/DisplayDocTitle true',
      '/StructTreeRoot',
      '<pdfuaid:part>1</pdfuaid:part>',
      '/MediaBox [0 0 612 792]',
    ])
      expect(raw).toContain(part)
    expect(read.title).toContain('Charter dossier of Łódź Nguyễn Academy')
    // Every font of a page is a composite one, and each of these has its file.
    const count = (part: RegExp): number => raw.match(part)?.length ?? 0
    expect(count(/\/Type \/FontDescriptor/g)).toBe(3)
    expect(count(/\/FontFile2 /g)).toBe(3)
    expect(count(/\/Subtype \/(Type1|TrueType)\b/g)).toBe(0)
    expect(count(/\/Tabs \/S/g)).toBe(read.pages.length)
    for (const roles of read.roles.slice(2)) expect([...roles]).toContain('Sect')
    const all = new Set(read.roles.flatMap((roles) => [...roles]))
    for (const role of ['Document', 'H1', 'H2', 'H3', 'H4', 'P', 'Table', 'TR', 'TH', 'TD', 'TOC', 'TOCI', 'Link'])
      expect([...all]).toContain(role)
  })

  test('has a ZIP with the PDF, a workbook for each part, and sums that match', async () => {
    const files = unzip(made.zip)
    const sums = files.get('SHA256SUMS.txt')?.toString().trimEnd().split('\n') ?? []
    expect(sums).toHaveLength(DOSSIER_PARTS.length + 1)
    expect(files.size).toBe(sums.length + 1)
    for (const line of sums) {
      const [sum = '', name = ''] = line.split('  ')
      expect(sha256(files.get(name) ?? Buffer.of())).toBe(sum)
    }
    expect(sums[0]).toContain(sha256(made.pdf))
    const open = (title: string) => readWorkbook([...files].find(([name]) => name.endsWith(`${title}.xlsx`))?.[1] ?? Buffer.of())
    const sites = await open('Sites')
    expect(sites.map(({ name }) => name)).toEqual(['Sites', 'Leadership', 'Facilities'])
    expect(sites[1]?.rows[1]).toMatchObject({
      Site: 'Côte-d’Or Center 2',
      Role: 'Principal',
      Person: 'Señora Ångström 2',
      Phone: '209-555-0199',
    })
    expect(sites[2]?.rows[0]).toMatchObject({ Site: 'Côte-d’Or Center 1', 'Lease end': { day: '2031-05-31' }, 'Lease notes': null })
    const [affair] = await open('Charter affair')
    expect(affair?.rows).toContainEqual({ Section: 'Overview: Other', Field: 'Notes', Value: 'Zażółć gęślą jaźń' })
    const [changes] = await open('Changes')
    expect(changes?.rows.find((row) => row['After'] === 'Second floor')).toMatchObject({
      Record: 'Côte-d’Or Center 1',
      What: 'changed the site: Description',
    })
  })

  test('is described by its sums, and in the list of its charter', async () => {
    const { dossier, pdf, zip } = made
    expect(dossier).toMatchObject({
      state: 'done',
      progress: 100,
      signedBy: null,
      charter: { name: 'Łódź Nguyễn Academy' },
      parts: DOSSIER_PARTS,
    })
    expect(dossier.pdf).toEqual({ bytes: pdf.length, sha256: sha256(pdf) })
    expect(dossier.zip).toEqual({ bytes: zip.length, sha256: sha256(zip) })
    expect(await net.as(6).send(listDossiers, { query: { charter: setUp.charter._id } })).toContainEqual(dossier)
  })

  test('leaves each download, and who asked for it, in the audit trail', async () => {
    const events = async () =>
      (await net.as(1).send(listAuditEvents, { query: {} })).filter(
        ({ kind }) => kind === 'download.finished' || kind === 'charter_affair.read',
      )
    const found = await events()
    expect(found.map(({ after }) => (after as { what?: string }).what)).toEqual(
      expect.arrayContaining([
        `dossier of Łódź Nguyễn Academy (PDF), ${made.dossier._id}`,
        `dossier of Łódź Nguyễn Academy (ZIP), ${made.dossier._id}`,
        'dossier',
      ]),
    )
  })
})

test('texts that look like formulas, tags or paths stay texts', async () => {
  const name = '../=A1 & <b> ]]> (x) /Type'
  const charter = await net.make.charter({ name })
  await net.make.site({ charter: charter._id, displayName: '=HYPERLINK("https://evil.example")' })
  const { pdf, zip } = await makeDossier(net.as(6), { charter: charter._id })
  const { text, title } = await readPdf(pdf, false)
  expect(text).toContain(name)
  expect(title).toContain(name)
  const [metadata = ''] = /<x:xmpmeta[^]*<\/x:xmpmeta>/.exec(pdf.toString('latin1')) ?? []
  const texts: string[] = []
  const parser = sax.parser(true)
  Object.assign(parser, {
    onerror: (error: Error) => {
      throw error
    },
    ontext: (one: string) => texts.push(one),
  })
  parser.write(metadata).close()
  expect(texts.join(' ')).toContain('=A1 & <b> ]]>')
  const files = unzip(zip)
  expect([...files.keys()].filter((one) => one.includes('/'))).toEqual([])
  const [sites] = await readWorkbook([...files].find(([one]) => one.endsWith('Sites.xlsx'))?.[1] ?? Buffer.of())
  expect(sites?.rows[0]?.['Site']).toBe('=HYPERLINK("https://evil.example")')
})

describe('a dossier of a past day', () => {
  let charter: string
  beforeAll(async () => {
    const { make, context } = net
    const brand = await make.brand()
    charter = (await make.charter({ brand: brand._id, name: 'Past Day Charter' }))._id
    const affair = await make.affair({ charter, overview: JSON.stringify({ authorizer: 'Former Authorizer' }) })
    const site = await make.site({ charter, displayName: 'Former Site Name' })
    // What was recorded until now is of March 1, 2026; what follows is of later days.
    await sql`alter table change disable trigger user`.execute(context.db)
    await sql`update change set at = '2026-03-01T20:00:00Z' where parent = any(${[brand._id, charter, affair._id, site._id]}::text[])`.execute(
      context.db,
    )
    await sql`alter table change enable trigger user`.execute(context.db)
    await net.as(6).send(updateSite, { params: { id: site._id }, body: { displayName: 'Present Site Name' } })
  })

  test('has the names of that day, and the changes of its period only', async () => {
    const { dossier, pdf } = await makeDossier(net.as(6), { charter, on: '2026-03-02', from: '2026-02-01', to: '2026-03-31' })
    const { text } = await readPdf(pdf)
    expect(text).toContain('Former Site Name')
    expect(text).toContain('Former Authorizer')
    expect(text).not.toContain('Present Site Name')
    expect(text).toContain('State at the end of March 2, 2026')
    expect(text).toMatch(/03\/01\/2026 12:00 PM Test Factory Former Site Name added the site/)
    const today = await makeDossier(net.as(6), { charter, from: '2026-04-01', parts: ['sites', 'changes'] })
    const { text: present } = await readPdf(today.pdf)
    expect(present).toContain('1 change of the charter')
    expect(present).toMatch(/Former Site Name Present Site Name/)
    expect(today.dossier.change).toBeGreaterThan(dossier.change ?? Infinity)
    expect(today.dossier.parts).toEqual(['sites', 'changes'])
  })

  test.each([
    [{ on: '2999-01-01' }, 'on', 'The day must not be in the future'],
    [{ to: '2999-01-01' }, 'to', 'The day must not be in the future'],
    [{ from: '2026-05-01', to: '2026-04-01' }, 'from', 'Enter a day that is not after 04/01/2026'],
    [{ on: '2026-02-30' }, 'on', expect.any(String)],
    [{ on: '1999-01-01' }, 'on', expect.stringContaining('The history begins on')],
    [{ parts: [] }, 'parts', 'Choose at least one part'],
    [{ parts: ['salaries'] }, 'parts', expect.any(String)],
    [{ color: 'blue' }, 'color', expect.any(String)],
  ])('is refused for %j', async (body, path, message) => {
    const response = await net.as(6).trySend(createDossier, { body: { charter, ...body } as never })
    expect(response.statusCode).toBe(422)
    const { errors } = response.json<{ errors: { path: string; message: string }[] }>()
    expect(errors[0]).toEqual({ path: expect.stringMatching(new RegExp(`^${path}`)), message })
  })

  test('is refused for a charter that is unknown or archived', async () => {
    expect((await net.as(6).trySend(createDossier, { body: { charter: 'no-such-charter' } })).statusCode).toBe(404)
    const archived = await net.make.charter()
    await net.context.db.updateTable('charter').set({ archivedAt: new Date() }).where('_id', '=', archived._id).execute()
    await net.catchUp()
    const response = await net.as(6).trySend(createDossier, { body: { charter: archived._id } })
    expect([response.statusCode, response.json<{ errors: unknown }>().errors]).toEqual([
      422,
      [{ path: 'charter', message: 'This charter is archived' }],
    ])
  })
})

describe('who may read dossiers', () => {
  const calls = [readDossier, downloadDossierPdf, downloadDossierZip] as const

  test('everyone who may read charter affairs, with a session or a token, and no one else', async () => {
    const params = { id: made.dossier._id }
    for (const level of [1, 5, 6]) {
      const caller = net.as(level)
      for (const call of calls) {
        expect((await caller.trySend(call, { params })).statusCode).toBe(200)
        expect((await (await caller.program()).trySend(call, { params })).statusCode).toBe(200)
        expect((await (await caller.program(10)).trySend(call, { params })).statusCode).toBe(403)
      }
    }
    for (const level of [7, 10]) {
      const caller = net.as(level)
      for (const call of calls) expect((await caller.trySend(call, { params })).statusCode).toBe(403)
      expect((await caller.trySend(createDossier, { body: { charter: setUp.charter._id } })).statusCode).toBe(403)
    }
    for (const call of calls) expect((await net.anonymous.trySend(call, { params })).statusCode).toBe(401)
  })

  test('an identifier that is not one of a dossier is a 404', async () => {
    for (const call of calls) {
      expect((await net.as(6).trySend(call, { params: { id: randomUUID() } })).statusCode).toBe(404)
      expect((await net.as(6).trySend(call, { params: { id: setUp.charter._id } })).statusCode).toBe(404)
    }
  })
})

describe('the queue', () => {
  const insert = async (more: object = {}): Promise<string> => {
    const values = {
      by: 'Someone',
      charter: setUp.charter._id,
      name: 'x',
      on: toIsoDay(new Date(), net.context.configuration.timeZone),
      from: '2026-01-01',
      to: '2026-06-01',
      parts: ['terms'],
      ...more,
    }
    return (await net.context.db.insertInto('dossier').values(values).returning('_id').executeTakeFirstOrThrow())._id
  }

  test('a dossier whose server stopped is made by another one, three times at most', async () => {
    const stale = new Date(Date.now() - 60_000)
    const left = await insert({ state: 'making', seenAt: stale, attempts: 1 })
    const hopeless = await insert({ state: 'making', seenAt: stale, attempts: 3 })
    const busy = await insert({ state: 'making', seenAt: new Date(Date.now() + 60_000), attempts: 1 })
    const second = await net.startSecond()
    const { _id } = await second.as(6).send(createDossier, { body: { charter: setUp.charter._id, parts: ['terms'] } })
    expect(await waitForDossier(net.as(6), _id)).toMatchObject({ state: 'done' })
    expect(await net.as(6).send(readDossier, { params: { id: left } })).toMatchObject({ state: 'done' })
    expect((await net.as(6).trySend(downloadDossierPdf, { params: { id: left } })).statusCode).toBe(200)
    expect(await net.as(6).send(readDossier, { params: { id: hopeless } })).toMatchObject({
      state: 'failed',
      failure: 'The server stopped several times while it was made.',
    })
    const unfinished = await net.as(6).trySend(downloadDossierPdf, { params: { id: busy } })
    expect([unfinished.statusCode, unfinished.headers['retry-after']]).toEqual([409, '2'])
    expect((await net.as(6).trySend(downloadDossierPdf, { params: { id: hopeless } })).statusCode).toBe(409)
    await net.context.db.deleteFrom('dossier').where('_id', 'in', [busy, hopeless]).execute()
  })

  test('a dossier that is being made when the server stops waits again', async () => {
    await insert()
    const claimed = await claimDossier(net.context.db)
    if (!claimed) throw new Error('The dossier should have been claimed')
    await makeClaimed(net.context, claimed, AbortSignal.abort())
    expect(await net.as(6).send(readDossier, { params: { id: claimed._id } })).toMatchObject({ state: 'waiting', progress: 0 })
    await net.context.db.deleteFrom('dossier').where('_id', '=', claimed._id).execute()
  })

  test('a period with too many changes says so, and is not made', async () => {
    const busy = await net.make.charter()
    await sql`
      insert into change (at, "actorName", action, "table", record, parent, before, after)
      select now(), 'Someone', 'update', 'charter', ${busy._id}, ${busy._id}, jsonb_build_object('abbreviation', n::text), jsonb_build_object('abbreviation', (n + 1)::text)
      from generate_series(1, ${MAX_CHANGES}) as n`.execute(net.context.db)
    const { _id } = await net.as(6).send(createDossier, { body: { charter: busy._id, parts: ['changes'] } })
    expect(await waitForDossier(net.as(6), _id)).toMatchObject({
      state: 'failed',
      failure: 'The period has more than 10,000 changes. Choose a shorter one.',
      pdf: null,
    })
  })

  test('an account can have three unfinished dossiers, and all together thirty', async () => {
    const caller = net.as(6)
    const { account } = await caller.who()
    const busy = { state: 'making', seenAt: new Date(Date.now() + 600_000) } as const
    const ids = await Promise.all(Array.from({ length: 3 }, () => insert({ ...busy, account })))
    const refused = await caller.trySend(createDossier, { body: { charter: setUp.charter._id } })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    const others = await Promise.all(Array.from({ length: 27 }, () => insert(busy)))
    expect((await net.as(6).trySend(createDossier, { body: { charter: setUp.charter._id } })).statusCode).toBe(429)
    await net.context.db
      .deleteFrom('dossier')
      .where('_id', 'in', [...ids, ...others])
      .execute()
  })
})

test('after 90 days the files are deleted; the sums still verify them', async () => {
  const { dossier, pdf } = await makeDossier(net.as(6), { charter: setUp.charter._id, parts: ['terms'] })
  const { db } = net.context
  const params = { id: dossier._id }
  const age = (days: number) =>
    db
      .updateTable('dossier')
      .set({ madeAt: sql<Date>`now() - ${`${days} days`}::interval` })
      .where('_id', '=', dossier._id)
      .execute()
  await age(89)
  await deleteExpiredLogs(net.context)
  expect((await net.as(6).trySend(downloadDossierPdf, { params })).statusCode).toBe(200)
  await age(91)
  await deleteExpiredLogs(net.context)
  const response = await net.as(6).trySend(downloadDossierPdf, { params })
  expect([response.statusCode, response.json<{ title: string }>().title]).toEqual([404, 'The files of this dossier were deleted'])
  expect((await net.as(6).trySend(downloadDossierZip, { params })).statusCode).toBe(404)
  expect(await net.as(6).send(readDossier, { params })).toMatchObject({ state: 'deleted', pdf: { sha256: sha256(pdf) } })
  expect(await net.as(6).send(listDossiers, { query: { charter: setUp.charter._id } })).not.toContainEqual(
    expect.objectContaining({ _id: dossier._id }),
  )
  const { rows } = await sql<{
    kept: number
  }>`select count(bytes)::int as kept from dossier_file where dossier = ${dossier._id}::uuid`.execute(db)
  expect(rows).toEqual([{ kept: 0 }])
  expect(await net.anonymous.send(verifyDossier, { file: new Blob([new Uint8Array(pdf)]) })).toMatchObject({
    result: 'unchanged',
    dossier: { _id: dossier._id },
  })
})
