import { existsSync, globSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { replaceMarkedSection } from '../support/marked-section.ts'
import { type RecordedProof, formatFigures } from '../support/proof.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const proofs = Object.keys(scripts).flatMap((script) => /^prove:(.+)$/.exec(script)?.[1] ?? [])
const page = read('docs/developers/proofs.md')

describe.each(proofs)('npm run prove:%s', (name) => {
  test('runs the proof with that name', () => {
    expect(scripts[`prove:${name}`]).toBe(`node scripts/prove.mjs ${name}`)
    expect(globSync(`test/*/${name}.proof.ts`)).toHaveLength(1)
  })

  test('is described in docs/developers/proofs.md with exactly the figures of its last run', () => {
    expect(page).toContain(`## \`npm run prove:${name}\``)
    const file = new URL(`../figures/${name}.json`, import.meta.url)
    const recorded = existsSync(file)
      ? formatFigures(JSON.parse(readFileSync(file, 'utf8')) as RecordedProof)
      : 'No whole run is recorded yet.'
    expect(page).toContain(`<!-- figures of ${name} -->\n${recorded}\n<!-- end -->`)
  })
})

test('docs/developers/proofs.md describes no proof that does not exist', () => {
  expect([...page.matchAll(/^## `npm run prove:(.+)`$/gm)].map(([, name]) => name).toSorted()).toEqual(proofs.toSorted())
})

test('figures are written into their sections and leave the rest of the page unchanged', () => {
  const before = 'a\n<!-- figures of one -->\nold\n<!-- end -->\nb\n<!-- figures of two -->\n<!-- end -->\nc'
  const after = replaceMarkedSection(before, 'one', 'new')
  expect(after).toBe(before.replace('old', 'new'))
  expect(() => replaceMarkedSection(before, 'three', 'new')).toThrow('no place')
})
