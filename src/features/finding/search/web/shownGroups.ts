import type { RecordHit, RecordKind } from '../../../../platform/contract/records.ts'
import type { ActionHit, FoundRecord, PageHit, SearchAnswer } from '../contract.ts'

export type Hit = RecordHit | FoundRecord | PageHit | ActionHit

/** A group as the palette shows it. */
export interface ShownGroup {
  readonly key: string
  readonly title: string
  /** How many there are: '5 of 17', '3 close matches'. */
  readonly said: string
  /** The kind that 'Show all' shows alone, where there are more than are here. */
  readonly all?: RecordKind
  readonly hits: readonly Hit[]
}

type Group = SearchAnswer['groups'][number]

const TITLES: Record<Group['kind'], string> = {
  people: 'People',
  sites: 'Sites',
  charters: 'Charters',
  brands: 'Brands',
  regions: 'Regions',
  pages: 'Pages and actions',
}
const SINGLE: Record<Exclude<Group['kind'], 'pages'>, RecordKind> = {
  people: 'person',
  sites: 'site',
  charters: 'charter',
  brands: 'brand',
  regions: 'region',
}

const show = (n: number): string => n.toLocaleString('en-US')

const countOf = ({ kind, total, more, hits }: Group, close: boolean): string => {
  if (kind === 'pages') return ''
  if (hits.length < total || more) return `${show(hits.length)} of ${more ? 'more than ' : ''}${show(total)}`
  if (!close) return show(total)
  return total === 1 ? '1 close match' : `${show(total)} close matches`
}

/** The groups of an answer, in its order. `alone` is the one kind that was asked for. */
export const groupsFound = (answer: SearchAnswer, alone: RecordKind | undefined): ShownGroup[] =>
  answer.groups.map((group) => ({
    key: group.kind,
    title: TITLES[group.kind],
    said: countOf(group, answer.close),
    hits: group.hits,
    ...(group.kind !== 'pages' && !alone && group.hits.length < group.total ? { all: SINGLE[group.kind] } : {}),
  }))

/** Before anything is typed: what was opened last, then the favourites that are not among it. */
export const groupsBefore = (recent: readonly RecordHit[], favourites: readonly RecordHit[]): ShownGroup[] => {
  const seen = new Set(recent.map(({ kind, _id }) => `${kind} ${_id}`))
  return [
    { key: 'recent', title: 'Recently viewed', said: '', hits: recent },
    { key: 'favourites', title: 'Favorites', said: '', hits: favourites.filter(({ kind, _id }) => !seen.has(`${kind} ${_id}`)) },
  ].filter(({ hits }) => hits.length > 0)
}

/** '17 people, 2 sites', for those who hear what is found. */
export const saidOf = (groups: readonly ShownGroup[]): string =>
  groups.map(({ title, said, hits }) => `${title}: ${said || show(hits.length)}`).join(', ')
