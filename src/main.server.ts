import { existsSync } from 'node:fs'
import { createServer } from 'node:net'

import { type Logger, pino } from 'pino'

import packageJson from '../package.json' with { type: 'json' }
import { buildApp, createAppContext, warmUp } from './app/app.server.ts'
import { startJobs } from './app/scheduled-jobs.server.ts'
import { discoverProvider, formatReason as signInReason } from './features/access/session/provider.server.ts'
import type { AppContext } from './platform/server/app-context.ts'
import { type Configuration, isProduction, readConfiguration } from './platform/server/configuration.ts'
import { followChanges } from './platform/server/database-changes.ts'
import { openConfiguredDatabase } from './platform/server/database.ts'
import { setOutboundProxy } from './platform/server/outbound-proxy.ts'
import { shutDown } from './platform/server/shutdown.ts'
import { StartupError, toListenError, formatStartupError } from './platform/server/startup-errors.ts'

const { version } = packageJson
const production = isProduction(process.env)
/** When the log is processed by programs (in production without a terminal), startup messages are log lines, too. */
const startLog = production && !process.stdout.isTTY ? pino({ level: 'info' }) : undefined
const print = (line: string): void => void (startLog ? startLog.info(line) : process.stdout.write(`${line}\n`))
const errorLog = startLog && pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }))
const printError = (lines: string, level: 'fatal' | 'warn' = 'fatal'): void => {
  if (!errorLog) return void process.stderr.write(`${lines}\n`)
  for (const line of lines.startsWith('Error') || /\n {4}at /.test(lines) ? [lines] : lines.split('\n')) errorLog[level](line)
}

/** What has been started, to be stopped in reverse order. */
const stopHandlers: (() => Promise<unknown>)[] = []
const stopping = new AbortController()
/** Aborted by an error or Ctrl C, when no one needs the drain. The drain is for a load balancer after SIGTERM. */
const skipDrain = new AbortController()
/** The time allowed after the last response, to finish sending mails and to stop the database. */
const FINAL_MS = 45_000
let maxShutdownMs = FINAL_MS

/** Ends the process in order. Signals may arrive more than once (from the terminal, and again through npm); the first one counts. */
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
  // Registered before it is open: a signal in the meantime must not leave a database running.
  stopHandlers.push(() =>
    opening.then(
      ({ stop }) => stop(),
      () => undefined,
    ),
  )
  const { db, pool, connection } = await opening

  const context = createAppContext({ configuration, db, pool, log })
  await loadSample(context)
  await context.organization.load()
  if (stopping.signal.aborted) return
  const { stop } = await followChanges(context, connection)
  stopHandlers.push(stop)
  const app = await buildApp(context)
  // Stopped after the last response, whose mails are sent and whose events are chained.
  stopHandlers.push(startJobs(context))
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
  // Not awaited: requests in the meantime wait.
  warmUp(context)
}

/** An unavailable or misconfigured provider does not prevent startup, but no one can sign in. */
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

/** Tries the port before anything is started: a port conflict should be reported before a database and a sample network are created. */
const checkPort = ({ host, port }: Configuration): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(toListenError(error, host, port)))
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })

/** The sample network is only loaded into an empty database: one without any record. */
const loadSample = async ({ configuration, db }: AppContext): Promise<void> => {
  if (configuration.sample === 0) return
  const { isDatabaseEmpty } = await import('../sample/is-empty.server.ts')
  if (!(await isDatabaseEmpty(db)) || stopping.signal.aborted) return
  // Imported late, because drawing its pictures needs a native library that later starts do not use.
  const { loadSample } = await import('../sample/load.server.ts')
  print(`Loading the sample network of ${configuration.sample} sites …`)
  await loadSample({ db, sites: configuration.sample, appId: configuration.appId, log: print })
}

/** Reports an error, unless the process is stopping: broken connections are expected then. */
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
