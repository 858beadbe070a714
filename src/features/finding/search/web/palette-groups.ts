import { capitalize, formatNumber } from '../../../../contract/format.ts'
import { RECORD_KINDS, RECORD_NOUNS, type RecordHit, type RecordKind } from '../../../../contract/records.ts'
import type { ActionHit, FoundRecord, PageHit, SearchResponse } from '../contract.ts'

export type Hit = RecordHit | FoundRecord | PageHit | ActionHit

/** A group of hits in the palette. */
export interface PaletteGroupData {
  readonly key: string
  readonly title: string
  /** The count: '5 of 17', '3 close matches'. */
  readonly summary: string
  /** The kind for 'Show all', if there are more hits. */
  readonly all?: RecordKind | undefined
  readonly hits: readonly Hit[]
}

type Group = SearchResponse['groups'][number]

const findKind = (group: Group['kind']): RecordKind | undefined => RECORD_KINDS.find((kind) => RECORD_NOUNS[kind][1] === group)

const formatTitle = (group: Group['kind']): string => (group === 'pages' ? 'Pages and actions' : capitalize(group))

const formatHitCount = ({ kind, total, more, hits }: Group, close: boolean): string => {
  if (kind === 'pages') return ''
  if (hits.length < total || more) return `${formatNumber(hits.length)} of ${more ? 'more than ' : ''}${formatNumber(total)}`
  if (!close) return formatNumber(total)
  return total === 1 ? '1 close match' : `${formatNumber(total)} close matches`
}

/** The groups of a response. `onlyKind` is the requested kind. */
export const toResultGroups = (answer: SearchResponse, onlyKind: RecordKind | undefined): PaletteGroupData[] =>
  answer.groups.map((group) => ({
    key: group.kind,
    title: formatTitle(group.kind),
    summary: formatHitCount(group, answer.close),
    hits: group.hits,
    all: !onlyKind && group.hits.length < group.total ? findKind(group.kind) : undefined,
  }))

/** Before anything is typed: recently viewed records, then other favorites. */
export const toInitialGroups = (recent: readonly RecordHit[], favorites: readonly RecordHit[]): PaletteGroupData[] => {
  const seen = new Set(recent.map(({ kind, _id }) => `${kind} ${_id}`))
  return [
    { key: 'recent', title: 'Recently viewed', summary: '', hits: recent },
    { key: 'favorites', title: 'Favorites', summary: '', hits: favorites.filter(({ kind, _id }) => !seen.has(`${kind} ${_id}`)) },
  ].filter(({ hits }) => hits.length > 0)
}

/** 'People: 17, Sites: 2', for screen readers. */
export const formatSummary = (groups: readonly PaletteGroupData[]): string =>
  groups.map(({ title, summary, hits }) => `${title}: ${summary || formatNumber(hits.length)}`).join(', ')
