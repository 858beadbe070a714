// `npm run bench`: what Homeroom costs beside the least that could do the same: a bare node:http server with the same bytes, and the same SQL
// alone, in the same run on the same machine. Figures are ratios; the machine's own speed drops out. `npm run bench -- small` leaves out the
// larger network; `--write` puts the figures and the pictures into docs/developers/performance.md.
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { SEARCH_QUERY } from '../src/features/finding/search/queries.server.ts'
import { SITE_STATEMENT } from '../src/features/records/sites/queries.server.ts'
import { startProgram } from '../test/support/server-process.ts'
import { signInAt } from '../test/support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../test/support/temporary-folder.ts'
import { measureAffairForm, measureFirstPageBytes, measureListKeystroke } from './browser.ts'
import { drawPictures } from './draw.ts'
import { measureExports } from './exports.ts'
import { type Figure, isMet, saveFigures } from './figures.ts'
import { measureHr } from './hr.ts'
import { runLoad, type LoadResult, median } from './load.ts'
import { type Network, startNetwork } from './network.ts'
import { measureListAfterSave, rawUpdate, createSaves } from './saves.ts'

const ROUNDS = 5
const SECONDS = 2
const AT_ONCE = 16
/** A day's searches: names, misspelt names, nicknames, roles with places, numbers, sites, a place alone, nothing. */
const SEARCHES = ['marisol vance', 'marisl vanse', 'teddy', 'principal lodi', 'srm michigan', 'lodi', '209-555-01', 'voss hann', 'resource center fresno', 'quillstone', 'zzyzx', 'rosa', 'counselor dayton', 'thom'] // prettier-ignore

const log = (line: string): void => void process.stdout.write(`${line}\n`)
const toPercent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10
const formatRate = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`

/** A list of Homeroom beside the bare server with the very same bytes, turn and turn about. */
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
  const bare = startProgram(process.execPath, ['bench/bare.ts', file, encoding], {})
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
  await runLoad(ours, 1, AT_ONCE)
  await runLoad(theirs, 1, AT_ONCE)
  const rounds: [LoadResult, LoadResult][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push([await runLoad(ours, SECONDS, AT_ONCE), await runLoad(theirs, SECONDS, AT_ONCE)])
  return {
    ours: median(rounds.map(([one]) => one.perSecond)),
    theirs: median(rounds.map(([, one]) => one.perSecond)),
    ratio: median(rounds.map(([one, other]) => toPercent(one.perSecond, other.perSecond))),
  }
}

/** The body exactly as it travels: fetch would unpack it. */
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

/** A call beside the same SQL alone, turn and turn about. */
const compareWithSql = async (
  network: Network,
  path: string,
  statements: readonly { name?: string; text: string; values: readonly unknown[] }[],
  folder: string,
): Promise<Comparison> => {
  const task = join(folder, 'task.json')
  await writeFile(task, JSON.stringify({ connection: network.connection, seconds: SECONDS, atOnce: AT_ONCE, statements }))
  const alone = async (): Promise<number> => {
    const program = startProgram(process.execPath, ['bench/sql.ts', task], {})
    const found = await program.waitForLine(/PerSecond: ([\d.]+)/)
    await program.ended
    return Number(found[1])
  }
  const ours = { port: network.port, path, headers: network.headers, status: 200 }
  await runLoad(ours, 1, AT_ONCE)
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push([(await runLoad(ours, SECONDS, AT_ONCE)).perSecond, await alone()])
  return {
    ours: median(rounds.map(([one]) => one)),
    theirs: median(rounds.map(([, one]) => one)),
    ratio: median(rounds.map(([one, other]) => toPercent(one, other))),
  }
}

const getSearchPath = (typed: string): string => `/api/search?q=${encodeURIComponent(typed)}`

/** A save beside a raw UPDATE of the same table, turn and turn about; the database's own trigger keeps the history of both. */
const compareWithUpdate = async (network: Network, folder: string): Promise<Comparison> => {
  const task = join(folder, 'task.json')
  await writeFile(task, JSON.stringify({ connection: network.connection, seconds: SECONDS, atOnce: AT_ONCE, statements: [rawUpdate] }))
  const sites = await network.db.selectFrom('site').select('_id').orderBy('_id').limit(AT_ONCE).execute()
  const saves = createSaves(sites.map(({ _id }) => _id))
  const rounds: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Each round is somebody else, since one person's saves are limited.
    const { headers } = await signInAt({ db: network.db, configuration: network.configuration }, 6)
    const ours = { port: network.port, path: '', headers: { ...headers }, status: 200, saves }
    const program = startProgram(process.execPath, ['bench/sql.ts', task], {})
    const raw = Number((await program.waitForLine(/PerSecond: ([\d.]+)/))[1])
    await program.ended
    rounds.push([(await runLoad(ours, SECONDS / 4, AT_ONCE)).perSecond, raw])
  }
  return {
    ours: median(rounds.map(([one]) => one)),
    theirs: median(rounds.map(([, one]) => one)),
    ratio: median(rounds.map(([one, other]) => toPercent(one, other))),
  }
}

/** How long one search after the other takes, in milliseconds: the mean over the searches of a day. */
const measureSearchMs = async (network: Network): Promise<number> => {
  const times: number[] = []
  for (const typed of SEARCHES) {
    const asked = { port: network.port, path: getSearchPath(typed), headers: network.headers, status: 200 }
    await runLoad(asked, 0.3, 1)
    times.push((await runLoad(asked, 0.7, 1)).p50)
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
    // First of all, while the server is idle still.
    add(...(await measureExports(network, network.administrator, size)))
    add(await measureHr(network, size))
    add(...(await compareWithBareServer(network, '/locations-api/sites_pop', 'br', size, folder)))
    const site = await network.db.selectFrom('site').select('slug').where('status', '=', 'ACTIVE').orderBy('slug').executeTakeFirstOrThrow()
    add(
      toFigure(
        'One populated site',
        await compareWithSql(network, `/locations-api/siteslugprograms/${site.slug}`, [SITE_STATEMENT.bind(site.slug)], folder),
        50,
        size,
        'the same SQL alone',
      ),
    )
    add(
      toFigure(
        'A save of a site',
        await compareWithUpdate(network, folder),
        40,
        size,
        'a raw UPDATE; the trigger keeps the history of both',
      ),
    )
    const { database, ours, times } = await measureListAfterSave(network)
    const beside = `${Math.round(ours)} ms beside ${Math.round(database)} ms, the database’s own time for its JSON`
    add({ what: 'First site list after a save', value: times, unit: 'times', target: 1.5, must: 'at most', size, note: beside })
    const pairs: Comparison[] = []
    for (const typed of ['marisl vanse', 'principal lodi', 'fresno']) {
      pairs.push(await compareWithSql(network, getSearchPath(typed), [{ ...SEARCH_QUERY, values: [typed, null, 5, true] }], folder))
    }
    const worst = pairs.toSorted((a, b) => a.ratio - b.ratio)[0]
    if (worst) add(toFigure('Search', worst, 60, size, 'its own SQL alone; the lowest of three searches'))
    add({
      what: 'Memory after load',
      value: Math.round(await network.memory()),
      unit: 'MB',
      target: 250,
      must: 'at most',
      size,
      note: 'resident',
    })
    const time = await measureSearchMs(network)
    add({ what: 'First page after sign-in', value: Math.round((await measureFirstPageBytes(network)) / 102.4) / 10, unit: 'kB', target: 170, must: 'at most', size, note: 'JavaScript, brotli' }) // prettier-ignore
    const key = await measureListKeystroke(network)
    add({ what: 'One keystroke in the site list’s filter', value: key, unit: 'ms', target: 50, must: 'at most', size, note: 'script' })
    const form = await measureAffairForm(network)
    const of = 'a charter affair with 40 members and 60 districts'
    add({ what: 'Opening the form of a charter affair', value: form.opening, unit: 'ms', target: 300, must: 'at most', size, note: `script; ${of}` }) // prettier-ignore
    add({ what: 'One keystroke in that form', value: form.letter, unit: 'ms', target: 16, must: 'at most', size, note: 'script' })
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
    const grown: Figure = {
      what: 'Search: 100,000 people beside 10,000',
      value: times,
      unit: 'times',
      target: 2,
      must: 'at most',
      size: large.figures[0]?.size ?? '',
      note: `${small.searchTime.toFixed(1)} ms and ${large.searchTime.toFixed(1)} ms, the mean of ${SEARCHES.length} searches`,
    }
    log(`\n${formatLine(grown)}`)
    figures.push(grown)
  }
  if (options.has('--write')) {
    await saveFigures({ on: new Date().toISOString().slice(0, 10), cores: availableParallelism(), figures })
    await drawPictures(figures)
  }
} finally {
  await removeFolder(folder)
}
