import { describe, expect, test } from 'vitest'

import { DEADLINE_SOURCES } from '../../src/features/record-tools/deadlines/fields.ts'
import { readDate } from '../../src/features/record-tools/deadlines/read-date.ts'
import { CHRONO_TEXTS } from './chrono.ts'
import { CORPUS } from './corpus.ts'

const members = CORPUS.flatMap(({ family, field, isPlain = false, texts }) =>
  Object.entries(texts).flatMap(([expected, list]) => list.map((text) => ({ family, field, isPlain, text, expected }))),
)
const read = (text: string, field: string) => {
  const source = DEADLINE_SOURCES.find((one) => one.field === field)
  if (!source) throw new Error(`No field ${field}`)
  return readDate(text, source)
}

describe('texts of school offices', () => {
  test('are at least 600, and each is listed once for a field', () => {
    expect(members.length).toBeGreaterThan(600)
    expect(new Set(members.map(({ field, text }) => `${field} ${text}`)).size).toBe(members.length)
  })

  test.for(CORPUS)('$family in $field: no date is wrong, and every date is at least proposed', ({ field, texts }) => {
    for (const [expected, list] of Object.entries(texts))
      for (const text of list) {
        const reading = read(text, field)
        if (reading.status === 'certain') expect([text, reading.date]).toEqual([text, expected])
        else {
          expect(reading.why).not.toBe('')
          if (expected === 'none' || expected === 'proposed') expect([text, reading.status]).toEqual([text, expected])
          else
            expect([text, reading]).toEqual([
              text,
              { status: 'proposed', why: reading.why, dates: expect.arrayContaining([expect.objectContaining({ date: expected })]) },
            ])
        }
      }
  })

  test('that are plain are read without a click, but for one in twenty', () => {
    const plain = members.filter(({ isPlain }) => isPlain)
    const missed = plain.filter(({ text, field }) => read(text, field).status !== 'certain')
    expect(plain.length).toBeGreaterThan(300)
    expect(missed.map(({ text }) => text).slice(0, plain.length * 0.05)).toEqual(missed.map(({ text }) => text))
  })
})

describe('texts of chrono-node’s tests', () => {
  test.for(Object.entries(CHRONO_TEXTS))('that are %s', ([expected, texts]) => {
    for (const text of texts) {
      const reading = readDate(text)
      expect([text, reading.status === 'certain' ? reading.date : 'not certain']).toEqual([text, expected])
    }
  })
})
