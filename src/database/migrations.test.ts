import { readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const FOLDER = new URL('./migrations/', import.meta.url)
const names = readdirSync(FOLDER).toSorted()
const migrations = names.map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

test('migrations are numbered consecutively, and the recipe for a field uses the next number', () => {
  const numbers = names.map((name) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  const recipes = readFileSync(new URL('../../docs/developers/recipes.md', import.meta.url), 'utf8')
  expect(recipes).toContain(`src/database/migrations/${String(numbers.length + 1).padStart(4, '0')}-`)
})

test('a migration defines a database function once, and replaces only functions of earlier migrations', () => {
  const defined = new Set<string>()
  for (const [at, text] of migrations.entries()) {
    const functions = [...text.matchAll(/^create (or replace )?function (\w+)/gm)].map(([, replaces, name = '']) => ({ name, replaces }))
    const own = functions.map(({ name }) => name)
    expect([...new Set(own)], names[at]).toEqual(own)
    expect(functions.filter(({ name, replaces }) => replaces !== undefined && !defined.has(name))).toEqual([])
    for (const name of own) defined.add(name)
  }
  expect(defined.size).toBeGreaterThan(10)
})

test('no migration builds SQL from text', () => {
  expect(migrations.filter((text) => /\bexecute\s+(format|replace|regexp_replace|')|pg_get_functiondef/i.test(text))).toEqual([])
})
