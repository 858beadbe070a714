import type { Random } from '../../sample/random.ts'
import { createRandom } from '../../sample/random.ts'
import { normalizeText } from '../../src/contract/text-match.ts'
import type { Charter } from '../../src/records/charters/contract.ts'
import type { Person } from '../../src/records/people/contract.ts'
import type { Site } from '../../src/records/sites/contract.ts'

/** A possible search, and the name it means: any record with that name is correct if several have it. */
export interface TestQuery {
  readonly text: string
  readonly description: string
  readonly expectedIds: ReadonlySet<string>
}

export interface Records {
  readonly people: readonly Person[]
  readonly sites: readonly Site[]
  readonly charters: readonly Charter[]
  /** The nicknames of a name: 'theodore' -> 'ted', 'teddy'. */
  readonly nicknames: ReadonlyMap<string, readonly string[]>
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')
const wordsOf = (name: string): string[] => name.split(/[\s“”|–-]+/).filter((word) => /\p{L}/u.test(word))

/** Adds one typo, or swaps two adjacent letters, somewhere in a word. */
const misspellWord = (random: Random, word: string): string => {
  const letters = [...normalizeText(word).replace(/[^a-z]/g, '')]
  if (letters.length < 4) return letters.join('')
  const at = random.int(0, letters.length - 1)
  const next = Math.min(at, letters.length - 2)
  switch (random.int(0, 3)) {
    case 0:
      letters.splice(at, 1)
      break
    case 1:
      letters.splice(at, 0, random.pick(LETTERS))
      break
    case 2:
      letters[at] = random.pick(LETTERS.filter((letter) => letter !== letters[at]))
      break
    default:
      letters.splice(next, 2, letters[next + 1] ?? '', letters[next] ?? '')
  }
  return letters.join('')
}

const sameNames = <T extends { _id: string }>(all: readonly T[], nameOf: (record: T) => string, name: string): Set<string> =>
  new Set(all.filter((record) => normalizeText(nameOf(record)) === normalizeText(name)).map(({ _id }) => _id))

const isOrdinary = ({ name }: { name: string }): boolean => /^[\p{Script=Latin}\s“”'’.|-]+$/u.test(name) && wordsOf(name).length > 1

/** 200 searches: misspelled, reordered, nicknames, without accents, by number, id, initials, role and place. Always the same for a network. */
export const buildTestQueries = ({ people, sites, charters, nicknames }: Records): TestQuery[] => {
  const random = createRandom('search queries', people.length)
  const ordinary = people.filter(isOrdinary)
  const personQuery = (how: string, type: (person: Person) => string) => (): TestQuery => {
    const person = random.pick(ordinary)
    return { description: how, text: type(person), expectedIds: sameNames(people, ({ name }) => name, person.name) }
  }
  const firstAndLast = ({ name }: Person): [string, string] => {
    const words = wordsOf(name)
    return [words[0] ?? '', words.at(-1) ?? '']
  }
  const oneBad = (words: readonly string[]): string => {
    const bad = random.pick(
      words
        .map((word, at) => [word, at] as const)
        .filter(([word]) => word.length > 3)
        .map(([, at]) => at),
    )
    return words.map((word, at) => (at === bad ? misspellWord(random, word) : word)).join(' ')
  }
  const siteQuery = (how: string, type: (name: string) => string) => (): TestQuery => {
    const site = random.pick(sites)
    return {
      description: how,
      text: type(site.displayName),
      expectedIds: sameNames(sites, ({ displayName }) => displayName, site.displayName),
    }
  }
  const charterQuery = (how: string, type: (charter: Charter) => string) => (): TestQuery => {
    const charter = random.pick(charters)
    return { description: how, text: type(charter), expectedIds: new Set([charter._id]) }
  }
  const nicknamed = (): TestQuery => {
    const person = random.pick(ordinary.filter((one) => nicknames.has(normalizeText(firstAndLast(one)[0]))))
    const [first, last] = firstAndLast(person)
    const nickname = random.pick(nicknames.get(normalizeText(first)) ?? [])
    const meant = people.filter(({ name }) => {
      const [otherFirst, otherLast] = firstAndLast({ ...person, name })
      const called = [normalizeText(otherFirst), ...(nicknames.get(normalizeText(otherFirst)) ?? [])]
      return normalizeText(otherLast) === normalizeText(last) && called.includes(nickname)
    })
    return { description: 'a nickname', text: `${nickname} ${last}`, expectedIds: new Set(meant.map(({ _id }) => _id)) }
  }
  const roleAtPlace = (role: string, typed: string) => (): TestQuery => {
    const site = random.pick(sites.filter((one) => one.people.some(({ role_match }) => role_match.name === role)))
    const there = sites.filter(({ address }) => address.city === site.address.city)
    const meant = there.flatMap((one) => one.people.filter(({ role_match }) => role_match.name === role).map(({ person }) => person._id))
    return { description: 'a role and a place', text: `${typed} ${site.address.city ?? ''}`, expectedIds: new Set(meant) }
  }
  const phoned = (type: (digits: string) => string) => (): TestQuery => {
    const person = random.pick(people.filter(({ phone }) => phone !== null))
    const digits = (person.phone ?? '').replace(/\D/g, '')
    const same = [
      ...people.filter(({ phone, fax }) => [phone, fax].some((number) => number?.replace(/\D/g, '') === digits)),
      ...sites.filter(({ address }) => [address.phone, address.fax].some((number) => number?.replace(/\D/g, '') === digits)),
      ...charters.filter(({ charterContactnumber }) => charterContactnumber?.replace(/\D/g, '') === digits),
    ]
    return { description: 'a phone number', text: type(digits), expectedIds: new Set(same.map(({ _id }) => _id)) }
  }
  const byId = (): TestQuery => {
    const person = random.pick(people.filter(({ sql_person_id }) => sql_person_id !== null))
    return { description: 'a PersonID', text: person.sql_person_id ?? '', expectedIds: new Set([person._id]) }
  }
  const byFinance = (): TestQuery => {
    const site = random.pick(sites.filter(({ finance_id }) => finance_id !== null))
    return { description: 'a finance number', text: site.finance_id ?? '', expectedIds: new Set([site._id]) }
  }

  const makers: readonly (readonly [number, () => TestQuery])[] = [
    [30, personQuery('a misspelt first name', (person) => `${misspellWord(random, firstAndLast(person)[0])} ${firstAndLast(person)[1]}`)],
    [30, personQuery('a misspelt last name', (person) => `${firstAndLast(person)[0]} ${misspellWord(random, firstAndLast(person)[1])}`)],
    [
      15,
      personQuery('both misspelt', (person) =>
        firstAndLast(person)
          .map((word) => misspellWord(random, word))
          .join(' '),
      ),
    ],
    [15, personQuery('turned round', (person) => firstAndLast(person).toReversed().join(', '))],
    [10, personQuery('turned round and misspelt', (person) => oneBad(firstAndLast(person).toReversed()))],
    [5, personQuery('without accents', (person) => normalizeText(person.name))],
    [
      5,
      personQuery('begun', (person) =>
        firstAndLast(person)
          .map((word) => word.slice(0, Math.max(4, word.length - 2)))
          .join(' '),
      ),
    ],
    [25, nicknamed],
    [15, siteQuery('a misspelt site', (name) => oneBad(wordsOf(name)))],
    [10, siteQuery('a site turned round', (name) => wordsOf(name).toReversed().join(' '))],
    [8, charterQuery('a misspelt charter', ({ name }) => oneBad(wordsOf(name)))],
    [4, charterQuery('an abbreviation', ({ abbreviation }) => (abbreviation ?? '').toLowerCase())],
    [6, roleAtPlace('Principal', 'principal')],
    [6, roleAtPlace('Student Relations Manager', 'srm')],
    [5, phoned((digits) => `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}.${digits.slice(6)}`)],
    [3, phoned((digits) => `+1${digits}`)],
    [4, byId],
    [4, byFinance],
  ]
  return makers.flatMap(([count, make]) => Array.from({ length: count }, make))
}

/** Every sequence of three or more digits in the numbers of a text, ignoring separators. */
export const listDigitRuns = (text: string): string[] => {
  const runs = [...text.matchAll(/\d[\d\s().-]*\d/g)].map(([run]) => run.replace(/\D/g, ''))
  const parts = runs.flatMap((run) =>
    [3, 4, 5, 6, 7, run.length].flatMap((length) =>
      Array.from({ length: Math.max(0, run.length - length + 1) }, (_, at) => run.slice(at, at + length)),
    ),
  )
  return [...new Set(parts)]
}
