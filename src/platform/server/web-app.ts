import { hash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

import type { AppContext } from './app-context.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the web app's page, with a fresh nonce. */
    sendPage: () => FastifyReply
  }
}

const DIST_FOLDER = fileURLToPath(new URL('../../../dist/', import.meta.url))

/** A built file, read again after a new build has replaced it. */
const createReader = (name: string): (() => string) => {
  const file = `${DIST_FOLDER}${name}`
  let read = { at: 0, text: '' }
  return () => {
    const at = statSync(file).mtimeMs
    if (at !== read.at) read = { at, text: readFileSync(file, 'utf8') }
    return read.text
  }
}

/** Makes text safe inside a script element. */
const escapeForScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Serves the built web app: its files, and its page for every path that is not a call. */
export const addWebApp = async (app: FastifyInstance, { configuration, organization }: AppContext): Promise<void> => {
  const page = createReader('index.html')
  const worker = createReader('service-worker.js')
  const { appUrl, locationsUrl, appId, offlineDays, smtpUrl } = configuration
  /** The settings of the page; those of the organization change while the server runs. */
  const buildSettings = (): string =>
    escapeForScript({
      appUrl,
      locationsUrl,
      timeZone: configuration.timeZone,
      appId,
      offlineDays,
      hasMail: smtpUrl !== undefined,
      organization: organization.facts,
    })
  const origins = [...new Set([appUrl, locationsUrl].filter(Boolean).map((base) => new URL(base).origin))].join(' ')

  app.decorateReply('sendPage', function (this: FastifyReply) {
    const nonce = randomBytes(18).toString('base64url')
    return this.code(200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', buildPolicy(nonce, origins))
      .send(page().replaceAll('__NONCE__', nonce).replaceAll('__CONFIGURATION__', buildSettings))
  })
  // File names contain a content hash; all other files are small and may change with a release.
  if (existsSync(`${DIST_FOLDER}assets`)) {
    await app.register(fastifyStatic, {
      root: `${DIST_FOLDER}assets`,
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
    })
  }
  app.get('/', async (_request, reply) => reply.sendPage())
  // Requests of the worker are subject to its own policy. The settings in its page are a part of its version.
  app.get('/service-worker.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', "default-src 'none'; connect-src 'self'")
      .send(worker().replaceAll('__SETTINGS__', hash('sha256', buildSettings()).slice(0, 12))),
  )
  await app.register(fastifyStatic, {
    root: DIST_FOLDER,
    wildcard: false,
    globIgnore: ['assets/**', 'index.html*', 'service-worker.js', '.*'],
    index: false,
    maxAge: '1h',
    decorateReply: false,
  })
}

const buildPolicy = (nonce: string, origins: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${origins}`,
    "font-src 'self'",
    `connect-src 'self' ${origins}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
    .map((line) => line.trim())
    .join('; ')
