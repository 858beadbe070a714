import { readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const FOLDER = new URL('./migrations/', import.meta.url)
const migrations = readdirSync(FOLDER).map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

test('every function of the database is in one migration as it is', () => {
  const functions = migrations.flatMap((text) => [...text.matchAll(/^create (or replace )?function (\w+)/gm)].map(([, , name]) => name))
  expect(functions.length).toBeGreaterThan(10)
  expect(functions.toSorted()).toEqual([...new Set(functions)].toSorted())
})

test('no migration makes SQL out of text', () => {
  expect(migrations.filter((text) => /\bexecute\s+(format|replace|regexp_replace|')|pg_get_functiondef/i.test(text))).toEqual([])
})
