import type { DuplicateDeclaration, DuplicateSign } from '../../../contract/duplicates.ts'
import { type DuplicateKind, KIND_DUPLICATES } from '../../../contract/records.ts'
import { normalizeText } from '../../../contract/text-match.ts'
import { type ComparedName, matchNames, toComparedName } from './names.ts'

/** Pairs with fewer points are not probably one. */
export const MIN_SCORE = 60
const MAX_SCORE = 100
/** Records that share a sign with fewer points are not compared for it alone. */
const MIN_POINTS_OF_BLOCK = 15

type Row = Readonly<Record<string, unknown>>
/** The rows of a table that refer to a record. */
export type ListRows = (table: string) => readonly object[]

/** What is compared of a record. */
export interface Profile {
  readonly names: readonly ComparedName[]
  /** The values of each sign of its kind, in their order. */
  readonly signs: readonly ReadonlySet<string>[]
}

const toWordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const STREET_SUFFIXES = toWordSet(
  'street st avenue ave boulevard blvd road rd drive dr lane ln highway hwy parkway pkwy place pl court ct circle cir way',
)
const UNITS = toWordSet('suite ste unit apt room rm bldg building')
const DIRECTIONS: Readonly<Record<string, string>> = { north: 'n', south: 's', east: 'e', west: 'w' }

/** A street with its number, without suffixes and what is inside the building. */
const readStreet = (text: string): string => {
  const words = text.split(/[\s.,]+/)
  const unit = words.findIndex((word, at) => at > 1 && (UNITS.has(word) || word.startsWith('#')))
  return words
    .slice(0, unit === -1 ? words.length : unit)
    .filter((word) => word !== '' && !STREET_SUFFIXES.has(word))
    .map((word) => DIRECTIONS[word] ?? word)
    .join(' ')
}
const MIN_DIGITS = 5

const READERS: Readonly<Record<DuplicateSign['read'], (text: string) => string>> = {
  digits: (text) => (text.replace(/\D/g, '').length >= MIN_DIGITS ? text.replace(/\D/g, '') : ''),
  'local part': (text) => text.split('@')[0]?.replace(/[^\p{L}\p{N}]/gu, '') ?? '',
  street: readStreet,
  host: (text) => /^(?:https?:\/\/)?(?:www\.)?([^/?#:\s]+)/.exec(text)?.[1] ?? '',
  text: (text) => text.replace(/\s+/g, ' ').trim(),
}

/** The value of a sign in a row; empty if one of its columns is. */
const readSign = ({ columns, read }: DuplicateSign, row: Row): string => {
  const parts = columns.map((column) => {
    const value = row[column]
    return typeof value === 'string' ? READERS[column === columns[0] ? read : 'text'](normalizeText(value)) : ''
  })
  return parts.includes('') ? '' : parts.join(' ')
}

/** What is compared of a row of a kind, or of typed values by column. */
export const toProfile = (kind: DuplicateKind, row: object, listRows: ListRows): Profile => {
  const { names, signs } = KIND_DUPLICATES[kind]
  const texts = names.map((column) => (row as Row)[column]).filter((name) => typeof name === 'string')
  return {
    names: [...new Set(texts)].map(toComparedName).filter(({ words }) => words.length > 0),
    signs: signs.map((sign) => {
      const rows = sign.rowsOf === undefined ? [row] : listRows(sign.rowsOf)
      return new Set(rows.map((one) => readSign(sign, one as Row)).filter((value) => value !== ''))
    }),
  }
}

/** Records that share one of these are compared with each other. */
export const listBlocks = (kind: DuplicateKind, { names, signs }: Profile): string[] => {
  const { signs: declared } = KIND_DUPLICATES[kind]
  const ofSigns = declared.flatMap(({ same }, at) =>
    same < MIN_POINTS_OF_BLOCK ? [] : [...(signs[at] ?? [])].map((value) => `${at} ${value}`),
  )
  return [...new Set([...names.map(({ key }) => `name ${key}`), ...ofSigns])]
}

export interface Comparison {
  readonly score: number
  readonly reasons: readonly string[]
}

const findBestNames = ({ areNamesOfPeople }: DuplicateDeclaration, a: Profile, b: Profile) =>
  a.names
    .flatMap((one) => b.names.flatMap((other) => matchNames(one, other, areNamesOfPeople === true) ?? []))
    .reduce<ReturnType<typeof matchNames>>((best, match) => (best && best.points >= match.points ? best : match), undefined)

/** How probably two records are one, and why; undefined if they probably are not. */
export const compareProfiles = (kind: DuplicateKind, a: Profile, b: Profile): Comparison | undefined => {
  const declaration = KIND_DUPLICATES[kind]
  const match = findBestNames(declaration, a, b)
  if (!match) return undefined
  let { points } = match
  const [same, different]: [string[], string[]] = [[], []]
  for (const [at, sign] of declaration.signs.entries()) {
    const [own, others] = [a.signs[at], b.signs[at]]
    if (!own?.size || !others?.size) continue
    const isSame = [...own].some((value) => others.has(value))
    points += isSame ? sign.same : -(sign.different ?? 0)
    if (isSame && sign.same > 0) same.push(`Same ${sign.label}`)
    if (!isSame && sign.different) different.push(`Different ${sign.label}`)
  }
  return points < MIN_SCORE ? undefined : { score: Math.min(points, MAX_SCORE), reasons: [...same, ...match.reasons, ...different] }
}
