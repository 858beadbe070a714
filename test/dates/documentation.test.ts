import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { DEADLINE_SOURCES } from '../../src/contract/deadlines.ts'
import {
  DATE_FORMS,
  FIELD_KINDS,
  MEANINGS,
  PART_FORMS,
  SCHOOL_YEARS,
  TERM_MEANINGS,
  TIMES,
  WORDS,
} from '../../src/features/deadlines/deadlines/date-grammar.ts'

const page = readFileSync(new URL('../../docs/users/dates.md', import.meta.url), 'utf8')
const listMeanings = (meanings: Readonly<Record<string, string>>): string[] =>
  Object.entries(meanings).map(([words, role]) => `| ${words === '' ? 'no words' : words} | ${role} |`)
const exampleOf = ([example]: readonly [string, string]): string => `\`${example}\``

/** The rows of the tables, as they stand in the page. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  forms: [
    `| A day, a month, days of a month | ${DATE_FORMS.map(exampleOf).join(', ')} |`,
    `| The start of a term, without a year or a day | ${PART_FORMS.map(exampleOf).join(', ')} |`,
    `| A time of day | ${TIMES.map(exampleOf).join(', ')} |`,
    `| A school year, which is not a date | ${SCHOOL_YEARS.map(exampleOf).join(', ')} |`,
  ],
  words: Object.entries(WORDS).map(([name, { does, words }]) => `| ${name} | ${does} | ${words} |`),
  meanings: listMeanings(MEANINGS),
  terms: listMeanings(TERM_MEANINGS),
  kinds: Object.entries(FIELD_KINDS).map(([name, { does, accepts }]) => `| ${name} | ${does} | ${accepts.join(', ')} |`),
  fields: [...new Set(DEADLINE_SOURCES.map(({ field, means, names }) => `| \`${field}\` | ${means} | ${names.join(', ')} |`))],
}

test.for(Object.entries(ROWS))('docs/users/dates.md shows the table of %s as it is', ([, rows]) => {
  expect(page).toContain(`\n${rows.join('\n')}\n\n`)
})
