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

test('the current definition of every database function is in exactly one migration', () => {
  const functions = migrations.flatMap((text) => [...text.matchAll(/^create (or replace )?function (\w+)/gm)].map(([, , name]) => name))
  expect(functions.length).toBeGreaterThan(10)
  expect(functions.toSorted()).toEqual([...new Set(functions)].toSorted())
})

test('no migration builds SQL from text', () => {
  expect(migrations.filter((text) => /\bexecute\s+(format|replace|regexp_replace|')|pg_get_functiondef/i.test(text))).toEqual([])
})
