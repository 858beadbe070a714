// `npm run bench`: compares Homeroom with a bare node:http server that sends the same bytes, and with only the same SQL, in the same run on the same
// machine. Figures are ratios, so the speed of the machine cancels out. `npm run bench -- small` skips the larger network; `--write` updates the
// figures and pictures in docs/developers/performance.md.
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { startBaselineServer } from '../test/support/baseline-server.ts'
import { listSiteIds, type Network, startNetwork } from '../test/support/large-network.ts'
import { createMixedRequests, type RateAnswer, sendAtRate } from '../test/support/mixed-load.ts'
import { getMedian, getPercentile } from '../test/support/percentile.ts'
import { startProgram } from '../test/support/server-process.ts'
import { signInAt } from '../test/support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../test/support/temporary-folder.ts'
import { measureAffairForm, measureFirstPageBytes, measureListKeystroke, measureRequests } from './browser.ts'
import { drawCharts } from './draw.ts'
import { measureExports } from './exports.ts'
import { type Figure, isMet, saveFigures } from './figures.ts'
import { measureHr } from './hr.ts'
import { openResponse } from './http.ts'
import { measureInsights } from './insights.ts'
import { type LoadOptions, runLoad } from './load.ts'
import type { SaveServerTask } from './save-server.ts'
import { createPlainCopy, measureListAfterSave, phoneChanges, type PlainColumn, plainUpdate, renames } from './saves.ts'
import type { SqlTask, Statement } from './sql.ts'

const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 8
const MIXED_ROUNDS = 3
const MIXED_SECONDS = 15
/** Typical searches: names, misspelled names, nicknames, roles with places, numbers, sites, only a place, one without results. */
const SEARCHES = ['marisol vance', 'marisl vanse', 'teddy', 'principal lodi', 'srm michigan', 'lodi', '209-555-01', 'voss hann', 'resource center fresno', 'quillstone', 'zzyzx', 'rosa', 'counselor dayton', 'thom'] // prettier-ignore

/** The first six letters of a last name. */
const LAST_NAME_PREFIX = 'castel'

const log = (line: string): void => void process.stdout.write(`${line}\n`)
const toPercent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10
const formatNumber = (value: number): string => Math.round(value).toLocaleString('en-US')
const formatKilobytes = (bytes: number): string => `${formatNumber(bytes / 1024)} kB`

/** The load of one round. */
type CreateLoad = () => Promise<LoadOptions> | LoadOptions

const measureRate = async (createLoad: CreateLoad, seconds = SECONDS): Promise<number> =>
  (await runLoad(await createLoad(), seconds, CONNECTIONS)).perSecond

interface Comparison {
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

/** Compares requests to Homeroom with something else, in alternating rounds. */
const compareAlternately = async (ours: CreateLoad, measureTheirs: () => Promise<number>): Promise<Comparison> => {
  await measureRate(ours, 1)
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push({ ours: await measureRate(ours), theirs: await measureTheirs() })
  return {
    ours: getMedian(rounds.map((one) => one.ours)),
    theirs: getMedian(rounds.map((one) => one.theirs)),
    ratio: getMedian(rounds.map((one) => toPercent(one.ours, one.theirs))),
  }
}

/** Compares the populated site list, sent in full and unchanged (304), with a bare server that sends the same bytes. */
const compareWithBareServer = async (
  network: Network,
  encoding: 'br' | 'identity',
): Promise<{ full: Comparison; unchanged: Comparison; bytes: number }> => {
  const path = '/locations-api/sites_pop'
  const headers = { ...network.headers, 'accept-encoding': encoding }
  const response = await openResponse(network, path, { headers })
  const bytes = await buffer(response)
  const bare = await startBaselineServer(bytes, encoding)
  const compare = async (ofOurs: Record<string, string>, ofTheirs: Record<string, string>, status: number): Promise<Comparison> => {
    const theirs = { url: `http://127.0.0.1:${bare.port}`, path, headers: ofTheirs, status }
    await measureRate(() => theirs, 1)
    return compareAlternately(
      () => ({ url: network.url, path, headers: { ...headers, ...ofOurs }, status }),
      () => measureRate(() => theirs),
    )
  }
  const full = await compare({}, {}, 200)
  const unchanged = await compare({ 'if-none-match': response.headers.etag ?? '' }, { 'if-none-match': '"bare"' }, 304)
  await bare.stop()
  return { full, unchanged, bytes: bytes.length }
}

/** Compares requests with a plain statement on a pool of as many connections. */
const compareWithSql = async (network: Network, ours: CreateLoad, statement: Statement, folder: string): Promise<Comparison> => {
  const task = join(folder, 'task.json')
  const sites = await listSiteIds(network, CONNECTIONS)
  const content: SqlTask = { connection: network.connection, seconds: SECONDS, concurrency: CONNECTIONS, statement, sites }
  await writeFile(task, JSON.stringify(content))
  return compareAlternately(ours, async () => {
    const program = startProgram(process.execPath, ['bench/sql.ts', task], {})
    const [, perSecond] = await program.waitForLine(/PerSecond: ([\d.]+)/)
    await program.ended
    return Number(perSecond)
  })
}

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

/** Saves of one round; each round uses another user, since the rate of saves is limited per person. */
const createSaveLoad =
  (network: Network, makeSaves: typeof renames): CreateLoad =>
  async () => {
    const { headers } = await signInAt(network, 6)
    const saves = makeSaves(await listSiteIds(network, CONNECTIONS))
    return { url: network.url, path: '', headers: { ...headers }, status: 200, saves }
  }

/** Searches of one round; each round uses another user, since the rate of searches is limited per person. */
const createSearchLoad =
  (network: Network, query: string): CreateLoad =>
  async () => {
    const { headers } = await signInAt(network, 10)
    return { url: network.url, path: `/api/search?q=${encodeURIComponent(query)}`, headers: { ...headers }, status: 200 }
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

/** Compares saves with a bare server that makes the plain update. */
const compareWithBareSaves = async (
  network: Network,
  makeSaves: typeof renames,
  column: PlainColumn,
  folder: string,
): Promise<Comparison> => {
  const task = join(folder, 'save-server.json')
  await writeFile(task, JSON.stringify({ connection: network.connection, connections: CONNECTIONS, column } satisfies SaveServerTask))
  const program = startProgram(process.execPath, ['bench/save-server.ts', task], {})
  const [, port] = await program.waitForLine(/Port: (\d+)/)
  const saves = makeSaves(await listSiteIds(network, CONNECTIONS))
  const theirs = (): LoadOptions => ({ url: `http://127.0.0.1:${port}`, path: '', headers: {}, status: 200, saves })
  await measureRate(theirs, 1)
  const result = await compareAlternately(createSaveLoad(network, makeSaves), () => measureRate(theirs))
  program.child.kill()
  await program.ended
  return result
}

/** The 95th percentile of a mixed load beside that of a bare server that sends one site, in milliseconds. */
const measureMixedLoad = async (network: Network): Promise<{ readonly ours: number; readonly theirs: number }> => {
  const { next, sitePath } = await createMixedRequests(network)
  const site = await openResponse(network, sitePath, { headers: network.headers })
  const bare = await startBaselineServer(await buffer(site))
  const getP95 = (answers: readonly RateAnswer[]): number => {
    const failed = answers.find(({ error }) => error !== undefined)
    if (failed) throw new Error(`${failed.kind} answered ${failed.error}`)
    return getPercentile(
      answers.map(({ ms }) => ms),
      0.95,
    )
  }
  await sendAtRate(network.url, MIXED_SECONDS, next)
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < MIXED_ROUNDS; round++) {
    const theirs = getP95(
      await sendAtRate(`http://127.0.0.1:${bare.port}`, MIXED_SECONDS, () => ({ kind: 'bare', method: 'GET', path: '/' })),
    )
    rounds.push({ ours: getP95(await sendAtRate(network.url, MIXED_SECONDS, next)), theirs })
  }
  await bare.stop()
  return { ours: getMedian(rounds.map(({ ours }) => ours)), theirs: getMedian(rounds.map(({ theirs }) => theirs)) }
}

interface NetworkFigures {
  readonly figures: Figure[]
  readonly searchTime: number
}

const measureNetwork = async (sites: number, people: number, folder: string): Promise<NetworkFigures> => {
  const size = `${sites.toLocaleString('en-US')} sites, ${people.toLocaleString('en-US')} people`
  const isSmall = sites === 1000
  log(`\n${size}`)
  const network = await startNetwork(sites, people, log)
  const figures: Figure[] = []
  const add = (figure: Omit<Figure, 'size'>): void => {
    figures.push({ ...figure, size })
    log(formatLine({ ...figure, size }))
  }
  const addAtMost = (what: string, value: number, unit: Figure['unit'], target: number, note: string): void =>
    add({ what, value, unit, target, must: 'at most', note })
  const addRatio = (what: string, { ours, theirs, ratio }: Comparison, target: number, note: string): void => {
    const rates = `${formatNumber(ours)}/s beside ${formatNumber(theirs)}/s`
    add({ what, value: ratio, unit: '%', target, must: 'at least', note: `${rates}, ${note}` })
  }
  try {
    if (isSmall) addAtMost('Second start', Math.round(network.startMs), 'ms', 1000, 'until it is ready')
    addAtMost('First search after the start', Math.round(network.firstSearchMs), 'ms', 2000, 'by a first name, while records are read')
    const insights = await measureInsights(network)
    const insightNote = (name: string): string => `the slowest of ${insights.count}, of five years: ${name}`
    const { first, later } = insights
    addAtMost('An insight, the first time', Math.round(first.ms), 'ms', isSmall ? 300 : 2000, insightNote(first.name))
    addAtMost('The same, later', Math.round(later.ms), 'ms', 30, insightNote(later.name))
    await network.restart()
    // First, while the server is still idle.
    for (const { name, bytes, firstByteMs, megabytesOverIdle } of await measureExports(network)) {
      addAtMost(`${name}: first byte`, Math.round(firstByteMs), 'ms', 300, formatKilobytes(bytes))
      addAtMost(`${name}: memory over idle`, Math.round(megabytesOverIdle), 'MB', 60, 'resident')
    }
    const hr = await measureHr(network)
    const hrNote = `the slowest of ${hr.searches} searches: ${hr.typed}`
    addAtMost('HR search over 100,000 rows, p99', Math.round(hr.p99 * 10) / 10, 'ms', 50, hrNote)

    const list = await compareWithBareServer(network, 'br')
    addRatio('Populated site list', list.full, 80, `${formatKilobytes(list.bytes)} brotli`)
    addRatio('The same, unchanged (304)', list.unchanged, 60, 'no body')
    const plainList = await compareWithBareServer(network, 'identity')
    addRatio('The same, uncompressed', plainList.full, 50, `${formatKilobytes(plainList.bytes)} without compression`)
    const site = await network.db.selectFrom('site').select('slug').where('status', '=', 'ACTIVE').orderBy('slug').executeTakeFirstOrThrow()
    const path = `/locations-api/siteslugprograms/${site.slug}`
    const siteLoad: CreateLoad = () => ({ url: network.url, path, headers: network.headers, status: 200 })
    addRatio('One populated site', await compareWithSql(network, siteLoad, plainSite(site.slug), folder), 400, 'one joined select')

    await createPlainCopy(network)
    const plainNote = 'an update of a copy of the table without triggers and history'
    const phone = await compareWithSql(network, createSaveLoad(network, phoneChanges), plainUpdate('phone'), folder)
    addRatio('A phone number saved', phone, 18, plainNote)
    const rename = await compareWithSql(network, createSaveLoad(network, renames), plainUpdate('displayName'), folder)
    addRatio('A site renamed', rename, 18, plainNote)
    const bareNote = 'a bare server that makes the same update'
    addRatio('A phone number saved, over HTTP', await compareWithBareSaves(network, phoneChanges, 'phone', folder), 40, bareNote)
    addAtMost('First site list after a save', Math.round(await measureListAfterSave(network)), 'ms', 100, 'gzip')
    const person = await compareWithSql(network, createSearchLoad(network, 'marisl vanse'), plainSearch('marisol'), folder)
    addRatio('Search for a person', person, 1000, 'ilike over name, email address and phone number')
    const prefix = await compareWithSql(network, createSearchLoad(network, LAST_NAME_PREFIX), plainSearch(LAST_NAME_PREFIX), folder)
    addRatio('Search by the beginning of a last name', prefix, 1500, 'the same ilike')
    addAtMost('Memory after load', Math.round(network.memory()), 'MB', isSmall ? 224 : 415, 'resident')
    if (isSmall) {
      const { ours, theirs } = await measureMixedLoad(network)
      const times = Math.round((ours / theirs) * 10) / 10
      const note = `${ours.toFixed(1)} ms beside ${theirs.toFixed(1)} ms of a bare server that sends one site`
      addAtMost('200 requests a second, one in ten a save: p95', times, 'times', 12, note)
    }
    const searchTime = await measureSearchMs(network)

    const firstPageKilobytes = Math.round((await measureFirstPageBytes(network)) / 102.4) / 10
    addAtMost('First page after sign-in', firstPageKilobytes, 'kB', 170, 'JavaScript, brotli')
    addAtMost('One keystroke in the site list’s filter', await measureListKeystroke(network), 'ms', 50, 'script')
    const form = await measureAffairForm(network)
    const formNote = 'script; a charter affair with 40 members and 60 districts'
    addAtMost('Opening the form of a charter affair', form.opening, 'ms', 300, formNote)
    addAtMost('One keystroke in that form', form.letter, 'ms', 16, 'script')
    if (isSmall) {
      const { filter, longestTask } = await measureRequests(network)
      addAtMost('A filter of the requests', filter, 'ms', 300, 'until it is drawn; 1,000 open suggestions')
      addAtMost('Longest task while they are scrolled', longestTask, 'ms', 100, '0 where none took 50 ms')
    }
    return { figures, searchTime }
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
    await drawCharts(figures)
  }
} finally {
  await removeFolder(folder)
}
