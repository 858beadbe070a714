// `npm run bench`: compares Homeroom with a bare node:http server that sends the same bytes, and with only the same SQL, in the same run on the same
// machine. Figures are ratios, so the speed of the machine cancels out. `npm run bench -- small` skips the larger network; `--write` updates the
// figures and pictures in docs/developers/performance.md.
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { startProgram } from '../test/support/server-process.ts'
import { signInAt } from '../test/support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../test/support/temporary-folder.ts'
import { measureAffairForm, measureFirstPageBytes, measureListKeystroke, measureRequests } from './browser.ts'
import { drawPictures } from './draw.ts'
import { measureExports } from './exports.ts'
import { type Figure, isMet, saveFigures } from './figures.ts'
import { measureHr } from './hr.ts'
import { type LoadOptions, runLoad, type LoadResult, median } from './load.ts'
import { type Network, startNetwork } from './network.ts'
import { createPlainCopy, measureListAfterSave, phoneChanges, plainUpdate, renames } from './saves.ts'
import type { SqlTask, Statement } from './sql.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 8
/** Typical searches: names, misspelled names, nicknames, roles with places, numbers, sites, only a place, one without results. */
const SEARCHES = ['marisol vance', 'marisl vanse', 'teddy', 'principal lodi', 'srm michigan', 'lodi', '209-555-01', 'voss hann', 'resource center fresno', 'quillstone', 'zzyzx', 'rosa', 'counselor dayton', 'thom'] // prettier-ignore

const log = (line: string): void => void process.stdout.write(`${line}\n`)
const toPercent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10
const formatRate = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`

/** Compares a list of Homeroom with the bare server that sends the same bytes, in alternating rounds. */
const compareWithBareServer = async (
  network: Network,
  path: string,
  encoding: 'br' | '',
  size: string,
  folder: string,
): Promise<Figure[]> => {
  const headers = { ...network.headers, ...(encoding === '' ? {} : { 'accept-encoding': encoding }) }
  const response = await fetch(`${network.url}${path}`, {
    headers: { ...headers, 'accept-encoding': encoding === '' ? 'identity' : encoding },
  })
  const etag = response.headers.get('etag') ?? ''
  const raw = await readRawBody(network, path, headers)
  const file = join(folder, 'body')
  await writeFile(file, raw)
  const bare = startProgram(process.execPath, ['bench/baseline-server.ts', file, encoding], {})
  const barePort = Number((await bare.waitForLine(/Port: (\d+)/))[1])
  const ours = { port: network.port, path, headers, status: 200 }
  const theirs = { port: barePort, path, headers: {}, status: 200 }
  const full = await runAlternately(ours, theirs)
  const fresh = await runAlternately(
    { ...ours, headers: { ...headers, 'if-none-match': etag }, status: 304 },
    { ...theirs, headers: { 'if-none-match': '"bare"' }, status: 304 },
  )
  bare.child.kill()
  const kind = encoding === '' ? 'unpacked' : 'brotli'
  const bytes = `${Math.round(raw.length / 1024).toLocaleString('en-US')} kB ${kind}`
  return [
    toFigure('Populated site list', full, 80, size, bytes),
    ...(encoding === '' ? [] : [toFigure('The same, unchanged (304)', fresh, 50, size, 'no body')]),
  ]
}

interface Comparison {
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

const toFigure = (what: string, { ours, theirs, ratio }: Comparison, target: number, size: string, note: string): Figure => ({
  what,
  value: ratio,
  unit: '%',
  target,
  must: 'at least',
  size,
  note: `${formatRate(ours)} beside ${formatRate(theirs)}, ${note}`,
})

const runAlternately = async (ours: Parameters<typeof runLoad>[0], theirs: Parameters<typeof runLoad>[0]): Promise<Comparison> => {
  await runLoad(ours, 1, CONNECTIONS)
  await runLoad(theirs, 1, CONNECTIONS)
  const rounds: [LoadResult, LoadResult][] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push([await runLoad(ours, SECONDS, CONNECTIONS), await runLoad(theirs, SECONDS, CONNECTIONS)])
  return {
    ours: median(rounds.map(([one]) => one.perSecond)),
    theirs: median(rounds.map(([, one]) => one.perSecond)),
    ratio: median(rounds.map(([one, other]) => toPercent(one.perSecond, other.perSecond))),
  }
}

/** The body exactly as sent: fetch would decompress it. */
const readRawBody = async (network: Network, path: string, headers: Readonly<Record<string, string>>): Promise<Buffer> => {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request({ port: network.port, host: '127.0.0.1', path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
}

/** Compares requests with a plain statement on a pool of as many connections, in alternating rounds. */
const compareWithSql = async (
  network: Network,
  requests: () => Promise<LoadOptions>,
  statement: Statement,
  folder: string,
): Promise<Comparison> => {
  const sites = (await network.db.selectFrom('site').select('_id').orderBy('_id').limit(CONNECTIONS).execute()).map(({ _id }) => _id)
  const task = join(folder, 'task.json')
  const content: SqlTask = { connection: network.connection, seconds: SECONDS, concurrency: CONNECTIONS, statement, sites }
  await writeFile(task, JSON.stringify(content))
  const runStatement = async (): Promise<number> => {
    const program = startProgram(process.execPath, ['bench/sql.ts', task], {})
    const match = await program.waitForLine(/PerSecond: ([\d.]+)/)
    await program.ended
    return Number(match[1])
  }
  await runLoad(await requests(), 1, CONNECTIONS)
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push([(await runLoad(await requests(), SECONDS, CONNECTIONS)).perSecond, await runStatement()])
  return {
    ours: median(rounds.map(([one]) => one)),
    theirs: median(rounds.map(([, one]) => one)),
    ratio: median(rounds.map(([one, other]) => toPercent(one, other))),
  }
}

const getSearchPath = (typed: string): string => `/api/search?q=${encodeURIComponent(typed)}`

/** The query of a program without a search index. */
const plainSearch = (typed: string): Statement => ({
  name: 'plain search',
  text: `select _id, slug, name, email, phone from person where name ilike $1 or email ilike $1 or phone ilike $1 limit 20`,
  values: [`%${typed}%`],
})

/** Selects a site with everything its page shows, in one statement. */
const plainSite = (slug: string): Statement => ({
  name: 'plain site',
  text: `select site.*, to_json(facility) as facility, to_json(enrollment) as enrollment, to_json(charter) as charter, to_json(brand) as brand,
           to_json(region) as region, staff.people
         from site join facility on facility.site = site._id join enrollment on enrollment.site = site._id
         left join charter on charter._id = site.charter left join brand on brand._id = charter.brand left join region on region._id = site.region
         left join lateral (select json_agg(json_build_object('role', role.name, 'person', person)) as people
           from site_person join role on role._id = site_person.role join person on person._id = site_person.person where site_person.site = site._id) as staff on true
         where site.slug = $1`,
  values: [slug],
})

/** Returns the load of one round of saves; each round uses another user, since the rate of saves is limited per person. */
const createSaveLoad = (network: Network, makeSaves: typeof renames) => async (): Promise<LoadOptions> => {
  const sites = (await network.db.selectFrom('site').select('_id').orderBy('_id').limit(CONNECTIONS).execute()).map(({ _id }) => _id)
  const { headers } = await signInAt({ db: network.db, configuration: network.configuration }, 6)
  return { port: network.port, path: '', headers: { ...headers }, status: 200, saves: makeSaves(sites) }
}

/** Returns the load of one round of searches; each round uses another user, since the rate of searches is limited per person. */
const createSearchLoad = (network: Network, query: string) => async (): Promise<LoadOptions> => {
  const { headers } = await signInAt({ db: network.db, configuration: network.configuration }, 10)
  return { port: network.port, path: getSearchPath(query), headers: { ...headers }, status: 200 }
}

/** The response time of sequential searches, in milliseconds: the mean of the medians of all `SEARCHES`. */
const measureSearchMs = async (network: Network): Promise<number> => {
  const times: number[] = []
  for (const typed of SEARCHES) {
    const search = await createSearchLoad(network, typed)()
    await runLoad(search, 0.2, 1)
    times.push((await runLoad(search, 0.4, 1)).p50)
  }
  return times.reduce((sum, one) => sum + one, 0) / times.length
}

interface NetworkFigures {
  readonly figures: Figure[]
  readonly searchTime: number
}

const measureNetwork = async (sites: number, people: number, folder: string): Promise<NetworkFigures> => {
  const size = `${sites.toLocaleString('en-US')} sites, ${people.toLocaleString('en-US')} people`
  log(`\n${size}`)
  const network = await startNetwork(sites, people, log)
  try {
    const figures: Figure[] = []
    const add = (...more: Figure[]): void => {
      for (const one of more) {
        figures.push(one)
        log(formatLine(one))
      }
    }
    if (sites === 1000)
      add({
        what: 'Second start',
        value: Math.round(network.startMs),
        unit: 'ms',
        target: 2500,
        must: 'at most',
        size,
        note: 'until it is ready',
      })
    add({
      what: 'First search after the start',
      value: Math.round(network.firstSearchMs),
      unit: 'ms',
      target: 2000,
      must: 'at most',
      size,
      note: 'reads the records and builds the index',
    })
    // First, while the server is still idle.
    add(...(await measureExports(network, network.administrator, size)))
    add(await measureHr(network, size))
    add(...(await compareWithBareServer(network, '/locations-api/sites_pop', 'br', size, folder)))
    const site = await network.db.selectFrom('site').select('slug').where('status', '=', 'ACTIVE').orderBy('slug').executeTakeFirstOrThrow()
    const createReadLoad = (path: string) => async (): Promise<LoadOptions> => ({
      port: network.port,
      path,
      headers: network.headers,
      status: 200,
    })
    const onePage = await compareWithSql(
      network,
      createReadLoad(`/locations-api/siteslugprograms/${site.slug}`),
      plainSite(site.slug),
      folder,
    )
    add(toFigure('One populated site', onePage, 150, size, 'one joined select'))
    await createPlainCopy(network)
    const phone = await compareWithSql(network, createSaveLoad(network, phoneChanges), plainUpdate('phone'), folder)
    add(toFigure('A phone number saved', phone, 12, size, 'an update of a copy of the table without triggers and history'))
    const rename = await compareWithSql(network, createSaveLoad(network, renames), plainUpdate('displayName'), folder)
    add(toFigure('A site renamed', rename, 12, size, 'an update of a copy of the table without triggers and history'))
    const first = Math.round(await measureListAfterSave(network))
    add({ what: 'First site list after a save', value: first, unit: 'ms', target: 100, must: 'at most', size, note: 'gzip' })
    const person = await compareWithSql(network, createSearchLoad(network, 'marisl vanse'), plainSearch('marisol'), folder)
    add(toFigure('Search for a person', person, 1000, size, 'ilike over name, email address and phone number'))
    add({
      what: 'Memory after load',
      value: Math.round(await network.memory()),
      unit: 'MB',
      target: sites === 1000 ? 250 : 450,
      must: 'at most',
      size,
      note: 'resident',
    })
    const time = await measureSearchMs(network)
    add({
      what: 'First page after sign-in',
      value: Math.round((await measureFirstPageBytes(network)) / 102.4) / 10,
      unit: 'kB',
      target: 170,
      must: 'at most',
      size,
      note: 'JavaScript, brotli',
    })
    const key = await measureListKeystroke(network)
    add({ what: 'One keystroke in the site list’s filter', value: key, unit: 'ms', target: 50, must: 'at most', size, note: 'script' })
    const form = await measureAffairForm(network)
    const formNote = 'a charter affair with 40 members and 60 districts'
    add({
      what: 'Opening the form of a charter affair',
      value: form.opening,
      unit: 'ms',
      target: 300,
      must: 'at most',
      size,
      note: `script; ${formNote}`,
    })
    add({ what: 'One keystroke in that form', value: form.letter, unit: 'ms', target: 16, must: 'at most', size, note: 'script' })
    if (sites === 1000) {
      const { filter, longestTask } = await measureRequests(network)
      const note = '1,000 open suggestions'
      add({
        what: 'A filter of the requests',
        value: filter,
        unit: 'ms',
        target: 300,
        must: 'at most',
        size,
        note: `until it is drawn; ${note}`,
      })
      add({
        what: 'Longest task while they are scrolled',
        value: longestTask,
        unit: 'ms',
        target: 100,
        must: 'at most',
        size,
        note: '0 where none took 50 ms',
      })
    }
    return { figures, searchTime: time }
  } finally {
    await network.stop()
  }
}

const formatLine = (figure: Figure): string => {
  const { what, value, unit, target, must, note } = figure
  return `${isMet(figure) ? '  ' : '! '}${what.padEnd(42)} ${`${value} ${unit}`.padStart(10)}  (${must} ${target})  ${note}`
}

const folder = await createTemporaryFolder()
const options = new Set(process.argv.slice(2))
try {
  const small = await measureNetwork(1000, 10_000, folder)
  const large = options.has('small') ? undefined : await measureNetwork(10_000, 100_000, folder)
  const figures = [...small.figures, ...(large?.figures ?? [])]
  if (large) {
    const times = Math.round((large.searchTime / small.searchTime) * 100) / 100
    const growth: Figure = {
      what: 'Search: 100,000 people beside 10,000',
      value: times,
      unit: 'times',
      target: 2,
      must: 'at most',
      size: large.figures[0]?.size ?? '',
      note: `${small.searchTime.toFixed(1)} ms and ${large.searchTime.toFixed(1)} ms, the mean of ${SEARCHES.length} searches`,
    }
    log(`\n${formatLine(growth)}`)
    figures.push(growth)
  }
  if (options.has('--write')) {
    await saveFigures({ on: new Date().toISOString().slice(0, 10), cores: availableParallelism(), figures })
    await drawPictures(figures)
  }
} finally {
  await removeFolder(folder)
}
