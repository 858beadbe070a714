import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { findExplainedWord, readGlossary } from './glossary.ts'

const glossary = readGlossary(readFileSync(new URL('../../../docs/users/glossary.md', import.meta.url), 'utf8'))

test('the words of the trade are in the glossary, each with what it means', () => {
  const words = [
    'CDS code',
    'DASS',
    'WASC',
    'SELPA',
    'FUA',
    'MOU',
    'Material revision',
    'Lease holder',
    'Guarantor',
    'Authorizer',
    'COE',
    'Brand',
    'RSRM',
    'Finance number',
    'Dossier',
    'Area Superintendent',
  ]
  expect(words.filter((word) => (findExplainedWord(glossary, word)?.meaning.length ?? 0) < 20)).toEqual([])
})

test.each([
  ['CDS code', 'CDS code'],
  ['Original lease holder released', 'lease holder'],
  ['MOUs Overview', 'MOUs'],
  ['Material revisions', 'Material revisions'],
  ['Adaptation', undefined],
  ['Name', undefined],
])('in “%s” the word %s is explained', (label, word) => {
  expect(findExplainedWord(glossary, label)?.word).toBe(word)
})
