import { toSlug } from '../../../contract/slugs.ts'
import type { Decisions, Holder, Position } from './reorganize.ts'

/** An empty list of positions: no site is named `.`. */
export const NONE = '.'

/** Decisions in URL format. */
export interface WrittenDecisions {
  /** The positions that stay, or those that change: whichever list is shorter. */
  readonly stay?: string | undefined
  readonly only?: string | undefined
  /** The positions that go to another person, each with that person; without one, the position is left vacant. */
  readonly others?: string | undefined
}

/** Commas and dots are separators, so they are escaped in slugs. */
export const toWord = (slug: string): string => encodeURIComponent(slug).replaceAll('.', '%2E')

/** The key of a position in the URL: its site, and its role if several roles are selected. */
const createPositionKeys = (positions: readonly Position[]): ReadonlyMap<string, string> => {
  const isOfOneRole = new Set(positions.map(({ role }) => role)).size === 1
  return new Map(positions.map(({ key, site, role }) => [key, isOfOneRole ? toWord(site.slug) : `${toWord(site.slug)}.${toSlug(role)}`]))
}

const readList = (text: string | undefined): string[] => (text ? text.split(',') : [])

const readOthers = (others: string | undefined): { name: string; person: string }[] =>
  readList(others).flatMap((one) => {
    const end = one.lastIndexOf('.')
    try {
      return end > 0 ? [{ name: one.slice(0, end), person: decodeURIComponent(one.slice(end + 1)) }] : []
    } catch {
      return []
    }
  })

/** The slugs of the people who get positions. */
export const listOtherPeople = ({ others }: WrittenDecisions): string[] =>
  [...new Set(readOthers(others).map(({ person }) => person))].filter(Boolean)

/** `startsEmpty`: without decisions no position changes, instead of all. */
export const writeDecisions = (
  positions: readonly Position[],
  { others, stays }: Decisions,
  startsEmpty = false,
): Record<keyof WrittenDecisions, string | undefined> => {
  const names = createPositionKeys(positions)
  const list = (chosen: (key: string) => boolean) => [...names].filter(([key]) => chosen(key)).map(([, name]) => name)
  const staying = list((key) => stays.has(key))
  const isFew = staying.length * 2 <= names.size
  const given = [...others].flatMap(([key, to]) => (names.has(key) ? [`${names.get(key)}.${to === 'vacant' ? '' : toWord(to.slug)}`] : []))
  return {
    stay: isFew ? staying.join(',') || (startsEmpty ? NONE : undefined) : undefined,
    only: isFew ? undefined : list((key) => !stays.has(key)).join(',') || (startsEmpty ? undefined : NONE),
    others: given.join(',') || undefined,
  }
}

/** Reads the decisions in a URL. Unknown people are ignored. */
export const readDecisions = (
  positions: readonly Position[],
  written: WrittenDecisions,
  people: ReadonlyMap<string, Holder>,
  startsEmpty = false,
): Decisions => {
  const names = createPositionKeys(positions)
  const only = new Set(readList(written.only))
  const stay = new Set(readList(written.stay))
  const isStaying = (name: string): boolean => (only.size > 0 ? !only.has(name) : stay.size > 0 ? stay.has(name) : startsEmpty)
  const stays = [...names].filter(([, name]) => isStaying(name)).map(([key]) => key)
  const given = new Map(
    readOthers(written.others).map(({ name, person }) => [name, person === '' ? ('vacant' as const) : people.get(person)]),
  )
  const others = [...names].flatMap(([key, name]) => {
    const person = given.get(name)
    return person ? [[key, person] as const] : []
  })
  return { stays: new Set(stays), others: new Map(others) }
}
