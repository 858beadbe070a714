import { findFreeSlug, toSlug } from '../src/contract/slugs.ts'
import { pickOfficeHour } from './calendar.ts'
import { pickFullName, UNUSUAL_NAMES } from './names.ts'
import type { Place } from './places.ts'
import { generateId, type Random, createRandom } from './random.ts'
import type { Row } from './rows.ts'

/** An employee of the network, determined only by the seed and their number. */
export interface Employee {
  /** Counts from 0 through the whole network; the HR number increases with it. */
  readonly number: number
  readonly place: Place
  /** The domain of the brand they work for. */
  readonly domain: string
}

const FIRST_UNUSUAL = 23
const UNUSUAL_EVERY = 41

export const getPersonId = (seed: number, number: number): string => generateId(seed, 'person', number)

export const getEmployeeName = (seed: number, number: number): string => {
  const turn = (number - FIRST_UNUSUAL) / UNUSUAL_EVERY
  return UNUSUAL_NAMES[turn] ?? pickFullName(createRandom(seed, 'name', number))
}

const EARLIEST = 60

/** An HR number: six digits, the lowest with leading zeros, with gaps in between. */
export const getHrNumber = (number: number): string =>
  String(number < EARLIEST ? 3127 + number * 31 : 103_000 + number * 7 + (number % 3)).padStart(6, '0')

/** A phone number with the city's area code, from the range reserved for fiction. */
export const getPhone = (random: Random, place: Place): string => `${place.areaCode}-555-01${String(random.int(0, 99)).padStart(2, '0')}`

/** A site's fax number, digits only. */
export const getSiteFax = (random: Random, place: Place): string => getPhone(random, place).replaceAll('-', '')

/** `marisol.vance@meridian.example`: without accents, nicknames and titles; with a number if it is taken. */
export const toEmailAddress = (name: string, domain: string, taken: Set<string>): string => {
  const words = toSlug(name.replace(/“.*?”|,.*$/g, ''))
    .replace(/^unnamed$/, 'staff')
    .split('-')
    .filter((word) => word.length > 1)
  const plain = [words[0] ?? 'staff', words.length > 1 ? words.slice(1).join('') : ''].filter(Boolean).join('.').slice(0, 40)
  let address = `${plain}@${domain}`
  for (let n = 2; taken.has(address); n++) address = `${plain}${n}@${domain}`
  taken.add(address)
  return address
}

/** Values that must be unique among people; extended as they are added. */
export interface TakenByPeople {
  readonly slugs: Set<string>
  readonly addresses: Set<string>
}

export const toPersonRow = (seed: number, { number, place, domain }: Employee, taken: TakenByPeople): Row<'person'> => {
  const random = createRandom(seed, 'person', number)
  const name = getEmployeeName(seed, number)
  const address = toEmailAddress(name, domain, taken.addresses)
  return {
    _id: getPersonId(seed, number),
    slug: findFreeSlug(name, taken.slugs),
    name,
    phone: random.chance(0.92) ? getPhone(random, place) : null,
    email: random.chance(0.97) ? address : null,
    fax: random.chance(0.25) ? getPhone(random, place) : null,
    leftAt: null,
    sql_person_id: random.chance(0.96) ? getHrNumber(number) : null,
    checkedAt: null,
    checkedBy: null,
  }
}

/** A person's last check of their own record: a third of them, within half a year. */
export const planCheckOfPerson = (
  { seed, day }: { readonly seed: number; readonly day: Date },
  { number }: Pick<Employee, 'number'>,
): Pick<Row<'person'>, 'checkedAt' | 'checkedBy'> => {
  const random = createRandom(seed, 'check of person', number)
  return random.chance(0.33)
    ? { checkedAt: pickOfficeHour(random, day, random.int(2, 175)), checkedBy: getEmployeeName(seed, number) }
    : { checkedAt: null, checkedBy: null }
}
