import { randomBytes } from 'node:crypto'

import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'

import { buildApp, createAppContext } from '../../src/app/app.server.ts'
import type { ResponseOf, Call } from '../../src/contract/call.ts'
import { callName } from '../../src/contract/call.ts'
import { type Db, openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import { insertApiToken } from '../../src/features/access/session/mutations.server.ts'
import type { AppContext } from '../../src/platform/server/app-context.ts'
import { type Configuration, readConfiguration } from '../../src/platform/server/configuration.ts'
import { followChanges } from '../../src/platform/server/database-changes.ts'
import type { RetryPolicy } from '../../src/platform/server/mail/store.ts'
import type { CallRequest } from '../../src/platform/web/client.ts'
import { addressOf } from './api-client.ts'
import { onDatabase } from './database.ts'
import { factories, type Factories } from './factories.ts'
import { createFileForm, isStream } from './http-requests.ts'
import { signInAt, startSession, type SignedInUser } from './sessions.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** The inputs of a call, limited to those that the call has. */
export type Inputs<C extends Call> = Omit<CallRequest<C>, 'signal' | 'version'> & { headers?: Record<string, string> }
type Arguments<C extends Call> = object extends Inputs<C> ? [Inputs<C>?] : [Inputs<C>]

/** A user who sends calls: at a level, or without a session. */
export interface Caller {
  /** Sends a call that must succeed, and returns its response. */
  readonly send: <C extends Call>(call: C, ...inputs: Arguments<C>) => Promise<ResponseOf<C>>
  /** Sends a call, and returns the raw response. */
  readonly trySend: <C extends Call>(call: C, ...inputs: Arguments<C>) => Promise<LightMyRequestResponse>
  /** Sends any request to any URL. */
  readonly request: (
    method: Call['method'],
    url: string,
    more?: { headers?: Record<string, string>; payload?: string | object },
  ) => Promise<LightMyRequestResponse>
}

export interface SignedInCaller extends Caller {
  readonly who: () => Promise<SignedInUser>
  /** Their authentication headers, for requests made in another way. */
  readonly headers: () => Promise<Record<string, string>>
  /** A program of theirs: the same person with an API token and no cookie, at their own level or another one. */
  readonly program: (accessLevel?: number) => Promise<Caller>
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly context: AppContext
  readonly make: Factories
  /** A new user, signed in at this level. */
  readonly as: (level: number) => SignedInCaller
  /** With a session of an account that is there already. */
  readonly asAccount: (account: string) => Caller
  readonly anonymous: Caller
  /** Waits until the server has processed everything written to the database. */
  readonly catchUp: () => Promise<void>
  /** Another server on the same database, with the same settings except `changes`. */
  readonly startSecond: (changes?: Partial<Configuration>) => Promise<TestApp>
  /** Stops it before the end of the file: for files that start many. */
  readonly stop: () => Promise<void>
}

const open: (() => Promise<void>)[] = []
let shared: Promise<TestApp> | undefined

/** Stops everything a test file started. Runs after each file (test/support/app.setup.ts), because the files of one worker share this module. */
export const stopApps = async (): Promise<void> => {
  shared = undefined
  for (const close of open.splice(0).toReversed()) await close()
}

/**
 * A separate server on a copy of the migrated database, called without a network. Most tests share one: see `network`. It stores mails, and sends
 * them once a test starts its mail queue, with the given retry policy. With a `language` the database is a new one with that collation. `now` is the
 * clock of its servers.
 */
export const startApp = async (
  environment: Record<string, string> = {},
  retryPolicy?: RetryPolicy,
  language?: string,
  now?: () => Date,
): Promise<TestApp> => {
  const { server, template } = inject('testDatabase')
  const database = `${template}_${randomBytes(6).toString('hex')}`
  const dataDir = await createTemporaryFolder()
  const like = language === undefined ? template : `template0 locale_provider icu icu_locale '${language}'`
  // Copied as files, which writes no WAL for its pages.
  await administer(server, `create database ${database} template ${like} strategy file_copy`)

  const configuration = readConfiguration({ SERVE: 'app,locations', SAMPLE: 'none', DATA_DIR: dataDir, ...environment })
  const connection = onDatabase(server, database)
  return serve(
    configuration,
    connection,
    { retryPolicy, now },
    async (db) => {
      if (language !== undefined) await migrate(db)
    },
    async () => {
      await administer(server, `drop database ${database} with (force)`)
      await removeFolder(dataDir)
    },
  )
}

const serve = async (
  configuration: Configuration,
  connection: pg.PoolConfig,
  options: { readonly retryPolicy: RetryPolicy | undefined; readonly now: (() => Date) | undefined },
  prepare: (db: Db) => Promise<void>,
  cleanUp: () => Promise<void>,
): Promise<TestApp> => {
  const { db, pool } = openDatabase(connection, 6)
  await prepare(db)
  const log = pino({ level: 'silent' })
  const context = createAppContext({ configuration, db, pool, log }, options.retryPolicy, options.now)
  const feed = await followChanges(context, connection)
  const app = await buildApp(context, { checkResponses: true })
  await app.ready()
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await app.close()
    await context.mail.stop()
    await feed.stop()
    if (!pool.ended) await pool.end()
    await cleanUp()
  }
  open.push(stop)

  return {
    app,
    context,
    stop,
    startSecond: (changes = {}) =>
      serve(
        { ...configuration, ...changes },
        connection,
        options,
        async () => {},
        async () => {},
      ),
    catchUp: feed.catchUp,
    make: factories(context),
    as: (level) => {
      let user: Promise<SignedInUser> | undefined
      const who = () => (user ??= signInAt(context, level))
      const headers = async () => ({ ...(await who()).headers })
      const program = async (accessLevel = level) => {
        const { account } = await who()
        const { token } = await insertApiToken(db, { account, name: 'A program', accessLevel, days: 30 })
        return callerOf(app, feed.catchUp, configuration.publicUrl, async () => ({ authorization: `Bearer ${token}` }))
      }
      return { ...callerOf(app, feed.catchUp, configuration.publicUrl, headers), who, headers, program }
    },
    asAccount: (account) => {
      let headers: Promise<SignedInUser['headers']> | undefined
      return callerOf(app, feed.catchUp, configuration.publicUrl, async () => ({ ...(await (headers ??= startSession(context, account))) }))
    },
    anonymous: callerOf(app, feed.catchUp, configuration.publicUrl, async () => ({})),
  }
}

const administer = async (server: pg.PoolConfig, statement: string): Promise<void> => {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const callerOf = (
  app: FastifyInstance,
  catchUp: () => Promise<void>,
  publicUrl: string,
  own: () => Promise<Record<string, string>>,
): Caller => {
  const request: Caller['request'] = async (method, url, { headers = {}, payload } = {}) => {
    const who = await own()
    // Rows that a test has written directly are processed before it sends requests.
    await catchUp()
    return app.inject({
      method,
      url,
      authority: new URL(publicUrl).host,
      headers: { ...who, ...headers },
      ...(payload === undefined ? {} : { payload }),
      ...(isStream(url) ? { payloadAsStream: true as const } : {}),
    })
  }
  const trySend: Caller['trySend'] = (call, ...[inputs]) => {
    const { params, query, body, file, headers } = (inputs ?? {}) as {
      params?: object
      query?: object
      body?: object
      file?: Blob
      headers?: Record<string, string>
    }
    return request(call.method, addressOf(call, params, query), {
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { payload: body }),
      ...(call.upload && file ? { payload: createFileForm(file, call.upload.field) } : {}),
    })
  }
  const send: Caller['send'] = async (call, ...inputs) => {
    const response = await trySend(call, ...inputs)
    if (response.statusCode >= 300) throw new Error(`${callName(call)} answered ${response.statusCode}: ${response.body}`)
    return (response.body === '' ? undefined : response.json()) as never
  }
  return { trySend, send, request }
}

/**
 * A small network in this file's server: a brand, a charter, and a site in California with its principal. Records of the file's other tests are there
 * too; a test that counts everything uses `startApp` instead.
 */
export const network = async () => {
  const app = await (shared ??= startApp())
  return { ...app, ...(await app.make.network()) }
}
