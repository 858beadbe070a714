import { existsSync } from 'node:fs'
import { createServer } from 'node:net'

import { type Logger, pino } from 'pino'

import packageJson from '../package.json' with { type: 'json' }
import { buildApp, createAppContext, startMail, warmUp } from './app.server.ts'
import { discoverProvider, formatReason as signInReason } from './features/access/session/provider.server.ts'
import type { AppContext } from './platform/server/app-context.ts'
import { startAuditChain } from './platform/server/audit-chain.ts'
import { type Configuration, isProduction, readConfiguration } from './platform/server/configuration.ts'
import { followChanges } from './platform/server/database-changes.ts'
import { openConfiguredDatabase } from './platform/server/database.ts'
import { setOutboundProxy } from './platform/server/outbound-proxy.ts'
import { shutDown } from './platform/server/shutdown.ts'
import { StartupError, toListenError, formatStartupError } from './platform/server/startup-errors.ts'
import { startScheduledJobs } from './scheduled-jobs.server.ts'
import { startWebhooks } from './webhooks.server.ts'

const { version } = packageJson
const production = isProduction(process.env)
/** Where the log is read by programs, in production and by no person at a terminal, what a start says is lines of it. */
const startLog = production && !process.stdout.isTTY ? pino({ level: 'info' }) : undefined
const print = (line: string): void => void (startLog ? startLog.info(line) : process.stdout.write(`${line}\n`))
const errorLog = startLog && pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }))
const printError = (lines: string, level: 'fatal' | 'warn' = 'fatal'): void => {
  if (!errorLog) return void process.stderr.write(`${lines}\n`)
  for (const line of lines.startsWith('Error') || /\n {4}at /.test(lines) ? [lines] : lines.split('\n')) errorLog[level](line)
}

/** What has been started, to be stopped in the opposite order. */
const stopHandlers: (() => Promise<unknown>)[] = []
const stopping = new AbortController()
/** Aborted by what no one should wait after: a mistake, or Ctrl C. A balancer's drain is for SIGTERM. */
const skipDrain = new AbortController()
/** For what comes after the last answer: mails under way, and the database. */
const FINAL_MS = 45_000
let maxShutdownMs = FINAL_MS

/** Ends the process in order. Signals may come more than once (the terminal's, and again through npm); the first one counts. */
const shutDownProcess = async (code: number): Promise<void> => {
  if (stopping.signal.aborted) return
  stopping.abort()
  setTimeout(() => process.exit(code), maxShutdownMs).unref()
  for (const part of stopHandlers.toReversed()) await part().catch((error: unknown) => printError(formatStartupError(error)))
  process.exit(code)
}

const start = async (): Promise<void> => {
  const configuration = readConfiguration(process.env)
  for (const warning of configuration.warnings) printError(`Warning: ${warning}`, 'warn')
  setOutboundProxy(configuration)
  await checkPort(configuration)
  if (configuration.serve.has('web') && !existsSync(new URL('../dist/index.html', import.meta.url))) {
    throw new StartupError('The web app is not built; "npm start" builds it, or "npm run build"')
  }
  const log = pino({ level: configuration.logLevel })
  const opening = openConfiguredDatabase(configuration, 'server', print)
  // Noted before it is open: a signal that comes in the meantime must not leave a database behind.
  stopHandlers.push(() =>
    opening.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  )
  const { db, pool, connection } = await opening

  const context = createAppContext({ configuration, db, pool, log })
  await loadSample(context)
  if (stopping.signal.aborted) return
  const { stop } = await followChanges(context, connection)
  stopHandlers.push(stop)
  // Ends after the last answer, whose events it chains.
  stopHandlers.push(startAuditChain(context))
  const app = await buildApp(context)
  stopHandlers.push(() => context.mail.stop())
  const [drainMs, finishMs] = [configuration.drainSeconds * 1000, configuration.stopSeconds * 1000]
  maxShutdownMs = drainMs + finishMs + FINAL_MS
  stopHandlers.push(() => shutDown(app, { drainMs, finishMs, skipDrain: skipDrain.signal }))
  if (stopping.signal.aborted) return
  try {
    await app.listen({ host: configuration.host, port: configuration.port })
  } catch (error) {
    throw toListenError(error, configuration.host, configuration.port)
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : configuration.port
  print(`Ready: ${configuration.port === 0 ? `http://${configuration.host}:${port}` : configuration.publicUrl}`)
  startLog?.info({ version, node: process.version }, `Homeroom ${version}`)
  void checkProvider(configuration, log)
  // No one waits for these: what is asked for in the meantime waits or is kept.
  startMail(context)
  stopHandlers.push(startScheduledJobs(context))
  stopHandlers.push(startWebhooks(context))
  warmUp(context)
}

/** A provider that is away or another one than was meant is no reason not to start, but no one can sign in. */
const checkProvider = async (configuration: Configuration, log: Logger): Promise<void> => {
  if (configuration.oidc === undefined || !configuration.serve.has('app')) return
  try {
    const { clientError: refusal } = await discoverProvider(configuration)
    if (refusal !== undefined)
      log.warn({ reason: refusal }, 'No one can sign in: the provider refuses OIDC_CLIENT_ID or OIDC_CLIENT_SECRET')
  } catch (error) {
    log.warn({ reason: signInReason(error) }, 'No one can sign in: the provider of OIDC_ISSUER cannot be used')
  }
}

/** Tries the port before anything is started: a mistake is worth knowing at once, and not after a database and a sample network. */
const checkPort = ({ host, port }: Configuration): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(toListenError(error, host, port)))
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })

/** The sample network goes into an empty database only: one without any brand, charter or site. */
const loadSample = async ({ configuration, db }: AppContext): Promise<void> => {
  if (configuration.sample === 0) return
  const { isEmpty } = await import('../sample/is-empty.server.ts')
  if (!(await isEmpty(db)) || stopping.signal.aborted) return
  // Only now, since drawing its pictures takes a native library that a later start has no use for.
  const { loadSample } = await import('../sample/load.server.ts')
  print(`Loading the sample network of ${configuration.sample} sites …`)
  await loadSample({ db, sites: configuration.sample, appId: configuration.appId, log: print })
}

/** Tells what went wrong, unless it went wrong because we are ending: connections that break then are no news. */
const fail = (error: unknown): void => {
  if (!stopping.signal.aborted) printError(formatStartupError(error))
  skipDrain.abort()
  void shutDownProcess(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (signal !== 'SIGTERM') skipDrain.abort()
    void shutDownProcess(0)
  })
for (const failure of ['uncaughtException', 'unhandledRejection'] as const) process.on(failure, fail)
start().catch(fail)
