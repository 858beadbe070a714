// Builds the web app into dist/ if its inputs have changed. Imports no packages: setup runs it before Node 24 is available.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The labels of pages explain words from the glossary. */
const OTHER_SOURCES = ['index.html', 'vite.config.ts', 'package-lock.json', 'docs/users/glossary.md']
const FOLDERS = ['src', 'public']

/** Server code with which the browser answers reads without a network. */
const IN_BOTH = /[\\/](read-model[\\/][\w-]+\.ts|(queries|parts|counts|search-answer|offline-reads)\.server\.ts)$/
/** Server code and tests are not part of the web app, so changing them does not make a build stale. @param {string} path */
const isOfTheServer = (path) =>
  /\.test\.tsx?$/.test(path) ||
  (!IN_BOTH.test(path) &&
    (/\.server\.tsx?$/.test(path) || path.startsWith(join('src', 'platform', 'server')) || path.startsWith(join('src', 'database'))))

/**
 * @param {string} root
 * @param {string} folder
 */
const listFiles = (root, folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => join(folder, name))
        .filter((path) => statSync(join(root, path)).isFile())
    : []

/** A hash of everything the build reads. @param {string} root */
export const sourceDigest = (root) => {
  const digest = createHash('sha256')
  const files = [...OTHER_SOURCES, ...FOLDERS.flatMap((folder) => listFiles(root, folder))]
    .filter((file) => !isOfTheServer(file))
    .toSorted()
  for (const file of files) {
    if (existsSync(join(root, file))) digest.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return digest.digest('hex')
}

/**
 * Builds if `dist/` is missing or stale; returns whether there is a web app now. @param {string} root the checkout @param {string} node the Node to
 * build with
 */
export const buildWebApp = (root, node) => {
  const stamp = join(root, 'dist', '.built-from')
  const digest = sourceDigest(root)
  if (existsSync(join(root, 'dist', 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true
  process.stdout.write('Building the web app …\n')
  const args = [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']
  // Always the production build, whatever NODE_ENV the server runs with.
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } })
  if (done.status !== 0) return false
  writeFileSync(stamp, digest)
  return true
}
