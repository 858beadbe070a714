import { getRoleNames } from '../../contract/roles.ts'
import { STATUS_LABELS, STATUSES, type Status } from '../../contract/status.ts'
import { isOneTypoApart, normalizeText } from '../../contract/text-match.ts'
import type { Queryable } from '../../database/connection.server.ts'
import { type ImportChoice, type ImportWord, NEW_RECORD } from '../../platform/server/importer.ts'
import { FACILITY_TYPES } from '../sites/fields.ts'
import type { ImportField } from './import-fields.ts'

type Words = NonNullable<ImportField['words']>
type Guess = Pick<ImportWord, 'target' | 'confidence' | 'reason'>

/** What words of the file can become, by what they stand for. */
export type WordChoices = Readonly<Partial<Record<Words, readonly ImportChoice[]>>>

const toChoices = (values: readonly string[]): ImportChoice[] => values.map((value) => ({ value, label: value }))

/** Sites by name; those that share one with their city. */
const withPlaces = (sites: readonly { readonly value: string; readonly name: string; readonly city: string | null }[]): ImportChoice[] => {
  const named = Map.groupBy(sites, ({ name }) => name)
  return sites.map(({ value, name, city }) => ({
    value,
    label: (named.get(name)?.length ?? 0) > 1 && city !== null ? `${name} (${city})` : name,
    name,
  }))
}

/** The choices for words that fields of a kind can have. */
export const listWordChoices = async (db: Queryable, needed: ReadonlySet<Words>): Promise<WordChoices> => {
  const choices: Partial<Record<Words, readonly ImportChoice[]>> = {}
  const read = async (words: Words, list: () => Promise<readonly ImportChoice[]>): Promise<void> => {
    if (needed.has(words)) choices[words] = await list()
  }
  await read('status', () => Promise.resolve(STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))))
  await read('category', () => Promise.resolve(toChoices(FACILITY_TYPES)))
  await read('role', () => db.selectFrom('role').select(['_id as value', 'name as label']).orderBy('name').execute())
  await read('region', () =>
    db.selectFrom('region').select(['_id as value', 'name as label']).where('archivedAt', 'is', null).orderBy('name').execute(),
  )
  await read('brand', () =>
    db.selectFrom('brand').select(['_id as value', 'brandName as label']).where('archivedAt', 'is', null).orderBy('brandName').execute(),
  )
  await read('charter', () =>
    db.selectFrom('charter').select(['_id as value', 'name as label']).where('archivedAt', 'is', null).orderBy('name').execute(),
  )
  await read('site', async () =>
    withPlaces(
      await db
        .selectFrom('site')
        .select(['_id as value', 'displayName as name', 'city'])
        .where('archivedAt', 'is', null)
        .orderBy('displayName')
        .execute(),
    ),
  )
  for (const words of RECORDS)
    if (choices[words]) choices[words] = [{ value: NEW_RECORD, label: `Add as a new ${words}` }, ...choices[words]]
  return choices
}
/** What words that name none can become. */
const RECORDS = ['brand', 'charter'] as const

const toEntries = (status: Status, ...words: string[]): [string, Status][] => words.map((word) => [word, status])

/** The status words of public directories, and our own values and labels. */
const STATUS_WORDS: ReadonlyMap<string, Status> = new Map([
  ...toEntries('ACTIVE', 'open', 'new', 'active', 'added', 'reopened', 'operational', 'operating', 'open/operational', 'yes', 'y'),
  ...toEntries('ACTIVE', 'changed boundary', 'changed agency', 'changed boundary/agency'),
  ...toEntries('ACTIVE - TEMPORARY', 'temporary', 'temporarily open'),
  ...toEntries(
    'PENDING',
    'pending',
    'under construction',
    'future',
    'planned',
    'approved',
    'proposed',
    'opening',
    'opening soon',
    'coming soon',
  ),
  ...toEntries(
    'CLOSED - PERMANENTLY',
    'closed',
    'merged',
    'inactive',
    'surrendered',
    'nonrenewed',
    'not renewed',
    'revoked',
    'terminated',
    'withdrawn',
    'dissolved',
    'no',
    'n',
  ),
  ...toEntries('CLOSED - TEMPORARILY', 'temporarily closed', 'closed temporarily', 'suspended', 'on hold'),
  ...STATUSES.flatMap((status) => toEntries(status, status.toLowerCase(), STATUS_LABELS[status].toLowerCase())),
])

/** The status that a word means; not sure if it only begins with a known word. */
const readStatus = (text: string): { readonly status: Status | undefined; readonly isSure: boolean } => {
  const word = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const status = STATUS_WORDS.get(word)
  if (status !== undefined) return { status, isSure: true }
  const [first = ''] = word.split(/[\s/,;:(–-]+/)
  return { status: first.length < 3 ? undefined : STATUS_WORDS.get(first), isSure: false }
}

/** Words that many names have, and that people leave out. */
const COMMON =
  /\b(?:the|of|and|inc|llc|resource|center|centre|rc|lc|learning|charter|charters|schools?|academy|site|campus|location|office)\b/g
const toPlain = (text: string): string =>
  normalizeText(text)
    .replace(/^\s*\d+\s*[-–:]\s*/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const toKey = (text: string): string => toPlain(text).replace(COMMON, ' ').replace(/\s+/g, ' ').trim()

/** The facility types that other words for a place mean. */
const TYPE_WORDS: readonly (readonly [RegExp, (typeof FACILITY_TYPES)[number]])[] = [
  [/warehouse|distribution|storage/i, 'Distribution Center'],
  [/online|virtual|remote/i, 'Online'],
  [/partner/i, 'Partnership'],
  [/admin|office|headquarter|\bhq\b|district/i, 'Administrative Office'],
  [/center|\brc\b|\blc\b|school|campus|classroom|site/i, 'Resource Center'],
]

const NOT_FOUND: Guess = { target: null, confidence: 0, reason: 'Not found by its name: please choose' }
const doubtful = (target: string): Guess => ({ target, confidence: 0.6, reason: 'Similar: please check' })

const guessStatus = (word: string): Guess => {
  const { status, isSure } = readStatus(word)
  if (status === undefined) return NOT_FOUND
  return isSure ? { target: status, confidence: 1, reason: 'Known word' } : doubtful(status)
}

/** How job titles are shortened. */
const SHORT_WORDS: Readonly<Record<string, string>> = {
  asst: 'assistant',
  admin: 'administrative',
  coord: 'coordinator',
  couns: 'counselor',
  mgr: 'manager',
  ops: 'operations',
  spec: 'specialist',
  supt: 'superintendent',
  tech: 'technician',
}

/** The role with the most words of which all are in a job title. */
const guessRole = (word: string, choices: readonly ImportChoice[]): Guess => {
  const plain = toPlain(word)
    .split(' ')
    .map((part) => SHORT_WORDS[part] ?? part)
    .join(' ')
    .replace(/\bvice principal\b/, 'assistant principal')
  const exact = choices.find(({ label }) => getRoleNames(label).some((name) => toPlain(name) === plain))
  if (exact) return { target: exact.value, confidence: 1, reason: 'Name of the role' }
  const own = plain.split(' ')
  const held = choices
    .filter(({ label }) =>
      getRoleNames(label).some((name) =>
        toPlain(name)
          .split(' ')
          .every((part) => own.includes(part)),
      ),
    )
    .toSorted((a, b) => b.label.length - a.label.length)[0]
  return held
    ? doubtful(held.value)
    : { target: null, confidence: SURE_OF_NONE, reason: 'Not one of the roles: please choose, or leave “No role”' }
}
const SURE_OF_NONE = 0.5

/** Finds records by name; words that name none become new brands and charters. */
const createNameGuess = (words: Words, choices: readonly ImportChoice[]): ((word: string) => Guess) => {
  const records = choices.filter(({ value }) => value !== NEW_RECORD)
  const index = (toText: (text: string) => string) => Map.groupBy(records, ({ label, name = label }) => toText(name))
  const [byName, byKey] = [index(toPlain), index(toKey)]
  const keys = [...byKey]
  return (word) => {
    const same = byName.get(toPlain(word))
    if (same?.length === 1 && same[0]) return { target: same[0].value, confidence: 1, reason: 'Same name' }
    if (same) return { target: null, confidence: 0, reason: `${same.length} have this name: please choose` }
    const [coded, ...others] = byName.get(toPlain(word.replace(SITE_CODE, ''))) ?? []
    if (coded && others.length === 0) return { target: coded.value, confidence: 0.9, reason: 'Same name without the number' }
    const key = toKey(word)
    const close =
      (key === '' ? undefined : byKey.get(key)?.[0]) ??
      (key.length < MIN_SIMILAR_LENGTH ? undefined : keys.find(([known]) => isOneTypoApart(known, key))?.[1][0])
    if (close) return doubtful(close.value)
    return RECORDS.some((one) => one === words)
      ? { target: NEW_RECORD, confidence: 0.8, reason: `Not here yet: becomes a new ${words}` }
      : NOT_FOUND
  }
}
const MIN_SIMILAR_LENGTH = 5
/** A number before the name: `014 Lodi`. */
const SITE_CODE = /^\d{2,6}\s+/

/** A function that guesses what a word becomes. */
export const createWordGuess = (words: Words, choices: readonly ImportChoice[]): ((word: string) => Guess) => {
  if (words === 'status') return guessStatus
  if (words === 'role') return (word) => guessRole(word, choices)
  if (words !== 'category') return createNameGuess(words, choices)
  return (word) => {
    const own = choices.find(({ label }) => toPlain(label) === toPlain(word))
    if (own) return { target: own.value, confidence: 1, reason: 'Name of the type' }
    const found = TYPE_WORDS.find(([pattern]) => pattern.test(word))
    return found ? doubtful(found[1]) : NOT_FOUND
  }
}
