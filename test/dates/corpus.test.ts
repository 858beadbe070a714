import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { DEADLINE_SOURCES } from '../../src/contract/deadlines.ts'
import { readDate } from '../../src/features/deadlines/deadlines/read-date.ts'

/** Texts with what a careful officer reads in a field. The expected value was written before the text was read. */
interface CorpusGroup {
  readonly family: string
  /** The name of the field, as in `DEADLINE_SOURCES`. */
  readonly field: string
  /** Texts whose date nobody would ask about. */
  readonly isPlain?: true
  /** By the expected day (the last day for a month), `proposed` or `none`. */
  readonly texts: Readonly<Record<string, readonly string[]>>
}
const readData = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const corpus = readData('corpus.json') as readonly CorpusGroup[]
const chrono = readData('chrono.json') as { readonly texts: Readonly<Record<string, readonly string[]>> }

const members = corpus.flatMap(({ family, field, isPlain = false, texts }) =>
  Object.entries(texts).flatMap(([expected, list]) => list.map((text) => ({ family, field, isPlain, text, expected }))),
)
const read = (text: string, field: string) => {
  const source = DEADLINE_SOURCES.find((one) => one.field === field)
  if (!source) throw new Error(`No field ${field}`)
  return readDate(text, source)
}
/** What is wrong with the reading of a text; undefined if nothing is. */
const findFault = (text: string, field: string, expected: string): string | undefined => {
  const reading = read(text, field)
  if (reading.status === 'certain') return reading.date === expected ? undefined : `certainly ${reading.date}`
  if (reading.why === '') return 'no reason'
  if (expected === 'none' || expected === 'proposed') return reading.status === expected ? undefined : reading.status
  return reading.status === 'proposed' && reading.dates.some(({ date }) => date === expected) ? undefined : 'not proposed'
}

describe('texts of school offices', () => {
  test('are at least 600, and each is listed once for a field', () => {
    expect(members.length).toBeGreaterThan(600)
    expect(new Set(members.map(({ field, text }) => `${field} ${text}`)).size).toBe(members.length)
  })

  test.for(corpus)('$family in $field: no date is wrong, and every date is at least proposed', ({ field, texts }) => {
    const faults = Object.entries(texts).flatMap(([expected, list]) =>
      list.flatMap((text) => {
        const fault = findFault(text, field, expected)
        return fault === undefined ? [] : [{ text, expected, fault }]
      }),
    )
    expect(faults).toEqual([])
  })

  test('that are plain are read without a click, but for one in twenty', () => {
    const plain = members.filter(({ isPlain }) => isPlain)
    const missed = plain.filter(({ text, field }) => read(text, field).status !== 'certain')
    expect(plain.length).toBeGreaterThan(300)
    expect(missed.map(({ text }) => text).slice(Math.floor(plain.length / 20))).toEqual([])
  })
})

test.for(Object.entries(chrono.texts))('texts of the tests of chrono-node: %s', ([expected, texts]) => {
  const faults = texts.flatMap((text) => {
    const reading = readDate(text)
    const found = reading.status === 'certain' ? reading.date : 'not certain'
    return found === expected ? [] : [{ text, found }]
  })
  expect(faults).toEqual([])
})
