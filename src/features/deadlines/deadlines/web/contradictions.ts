import { type DeadlineKind, findSourceOfOrigin } from '../../../../contract/deadlines.ts'
import type { Contradiction } from '../contract.ts'

/** The key of a contradiction. */
export const getContradictionKey = ({ kind, values }: Contradiction): string =>
  `${kind} ${values.map(({ deadline, field }) => deadline ?? field).join(' ')}`

/** The kind of its first deadline. */
export const getContradictionKind = ({ values: [value] }: Contradiction): DeadlineKind | undefined =>
  findSourceOfOrigin(value?.section ?? null, value?.field ?? null)?.kind

export const CONTRADICTION_TITLES: Readonly<Record<Contradiction['kind'], string>> = {
  'petition after expiration': 'Petition is due after the charter ends',
  'expired but active': 'Expired charter is active',
  'sections disagree': 'Two sections differ',
  'board term over': 'Board term is over',
  'lease over': 'Lease is over',
}

/** Whether two dates disagree; the other contradictions are one date that has passed in a record that is still current. */
export const isOfTwoDates = ({ kind }: Pick<Contradiction, 'kind'>): boolean =>
  kind === 'petition after expiration' || kind === 'sections disagree'

/** Whether one of its values can replace the other: the same field in two sections of a charter affair. */
export const isSameField = ({ kind, values }: Contradiction): boolean => kind === 'sections disagree' && values.length === 2
