import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

const PAGE = 'docs/developers/saving.md'
const page = readFileSync(PAGE, 'utf8')

/** The names of a step, and the contents of the files it links to. */
const steps = [...page.matchAll(/^\| [^|]+ \| (`[^|]+) \| (\[[^|]+) \|$/gm)].map(([, names = '', files = '']) => ({
  names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  files: [...files.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => readFileSync(join(dirname(PAGE), path), 'utf8')).join('\n'),
}))

/** The names of the functions in sections of the table, each once. */
const listFunctions = (...sections: readonly string[]): string[] => {
  const names = sections.flatMap((section) => {
    const [rows = ''] = (page.split(`| **${section}** | | |\n`)[1] ?? '').split('| **', 1)
    return [...rows.matchAll(/^\| [^|]+ \| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? [])
  })
  return [...new Set(names)]
}

const contains = (text: string, name: string): boolean => new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}(?!\\w)`).test(text)

test('docs/developers/saving.md names functions that exist in the files it links', () => {
  expect(steps.length).toBeGreaterThan(20)
  const missing = steps.flatMap(({ names, files }) => names.filter((name) => !contains(files, name)))
  expect(missing).toEqual([])
})

test.each(['direct', 'locked'])('on the %s path, a save passes through at most 15 functions from the form to the update', (path) => {
  const functions = listFunctions('In the browser', 'On the server', `On the server, ${path} path`)
  expect(functions).toEqual(expect.arrayContaining(['SiteForm', 'handleEdit', path === 'direct' ? 'updateDirectly' : 'updateRecord']))
  expect(functions.length).toBeLessThanOrEqual(15)
})

test('the SQL that docs/developers/saving.md names below its table exists', () => {
  const sql = ['0001-tables', '0002-functions-and-triggers', '0006-checks']
    .map((name) => readFileSync(`src/database/migrations/${name}.sql`, 'utf8'))
    .join('\n')
  const names = [...page.slice(page.indexOf('## Parts')).matchAll(/`(\w+_[\w.]+|homeroom\.\w+)`/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !contains(sql, name))).toEqual([])
})
