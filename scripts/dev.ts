import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { build, type Plugin } from 'vite'

import { readConfiguration } from '../src/platform/server/configuration.ts'
import { startPrivateDatabase } from '../src/platform/server/private-database.ts'
import { formatStartupError } from '../src/platform/server/startup-errors.ts'

// `npm run dev`: the real server on the real build, so that nothing (the policy against foreign scripts, say) is different from
// production; built again and reloaded on every change.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RELOAD = fileURLToPath(new URL('../dist/reload.json', import.meta.url))
const say = (line: string): void => void process.stdout.write(`${line}\n`)

let server: ChildProcess | undefined
let ending = false
let restarting: Promise<void> = Promise.resolve()

/** Reloads the open pages: they look at this file twice a second. */
const reloadPages = (): Promise<void> => writeFile(RELOAD, JSON.stringify({ at: Date.now() }))

const reloading: Plugin = {
  name: 'reloading',
  transformIndexHtml: () => [
    {
      tag: 'script',
      attrs: { type: 'module', nonce: '__NONCE__' },
      injectTo: 'body',
      children: `
        const look = () => fetch('/reload.json', { cache: 'no-store' }).then((answer) => (answer.ok ? answer.text() : undefined), () => undefined)
        const first = await look()
        setInterval(async () => {
          const now = await look()
          if (now !== undefined && now !== first) location.reload()
        }, 500)`,
    },
  ],
}

const startServer = async (): Promise<void> => {
  const child = spawn(process.execPath, ['src/main.server.ts'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  server = child
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      process.stdout.write(text)
      if (/^Ready: /m.test(text.toString())) resolve()
    })
    child.once('exit', (code) => {
      if (!ending && code !== 0 && code !== null) say('The server has ended; it starts again with the next change')
      resolve()
    })
  })
  await ready
}

const stopServer = async (): Promise<void> => {
  const child = server
  server = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

const restart = (why: string): void => {
  const before = restarting
  restarting = (async () => {
    await before
    if (ending) return
    say(`${why} has changed`)
    await stopServer()
    await startServer()
    await reloadPages()
  })()
}

/** What the server reads; the page's own files are the build's business. */
const isOfTheServer = (path: string): boolean => /\.(ts|sql)$/.test(path) && !path.endsWith('.test.ts') && !/(^|\/)web\//.test(path)

/** Watches src/; an editor's several writes of one save count as one change. */
const watchServer = (): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(`${ROOT}src`, { recursive: true }, (_event, path) => {
    if (path === null || !isOfTheServer(path)) return
    clearTimeout(timer)
    timer = setTimeout(() => restart(path), 150)
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** Builds, and builds again on every change; answers when the first build is done. */
const watchWeb = async (): Promise<() => Promise<void>> => {
  const watcher = await build({
    root: ROOT,
    mode: 'development',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [reloading],
    // Never empty in between: a page asked for during a build is the one before it.
    build: { watch: {}, minify: false, sourcemap: true, emptyOutDir: false },
  })
  if (!('on' in watcher)) throw new Error('vite does not watch')
  await new Promise<void>((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`)
      if (event.code === 'BUNDLE_END') void reloadPages()
      if (event.code === 'END' || event.code === 'ERROR') resolve()
    })
  })
  return () => watcher.close()
}

const main = async (): Promise<void> => {
  const { databaseUrl, dataDir } = readConfiguration(process.env)
  await rm(new URL('../dist', import.meta.url), { recursive: true, force: true }) // nothing of what is built here is for `npm start`
  await mkdir(new URL('../dist', import.meta.url), { recursive: true })
  // Held by us as well, the database stays up while the server below us comes and goes.
  const database = databaseUrl === undefined ? await startPrivateDatabase({ dataDir, as: 'guest', say }) : undefined
  const stopWeb = await watchWeb()
  const stopWatching = watchServer()

  const end = async (): Promise<void> => {
    if (ending) return
    ending = true
    stopWatching()
    await restarting
    await stopServer()
    await stopWeb()
    await database?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
  await reloadPages()
  await startServer()
}

main().catch((error: unknown) => {
  process.stderr.write(`${formatStartupError(error)}\n`)
  process.exit(1)
})
