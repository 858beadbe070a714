import type { Contradiction } from '../contract.ts'
import { type DeadlineKind, findSource } from '../fields.ts'

/** What tells a contradiction from the others. */
export const getContradictionKey = ({ kind, values }: Contradiction): string =>
  `${kind} ${values.map(({ deadline, field }) => deadline ?? field).join(' ')}`

const TABLES: Readonly<Record<string, string>> = { authorizer_board_member: 'authorizer_board_member' }

/** The kind of its first deadline. */
export const getContradictionKind = ({ values: [value], site }: Contradiction): DeadlineKind | undefined => {
  const section = value?.section ?? null
  const table = section === null ? (site ? 'facility' : 'charter_affair') : (TABLES[section] ?? 'charter_affair')
  return findSource(table, table === 'charter_affair' ? section : null, value?.field ?? null)?.kind
}

/** Why it is one, in a sentence; its title says which values. */
export const CONTRADICTION_WORDS: Readonly<Record<Contradiction['kind'], { title: string; why: string }>> = {
  'petition after expiration': { title: 'Petition is due after the charter ends', why: 'A petition has to be in before the term is over.' },
  'expired but active': { title: 'Expired charter is active', why: 'A charter past its expiration is still marked as active.' },
  'sections disagree': { title: 'Two sections differ', why: 'The same date is in two sections and is not the same.' },
  'board term over': { title: 'Board term is over', why: 'The member is still listed past the end of the term.' },
  'lease over': { title: 'Lease is over', why: 'The site is open past the end of its lease.' },
}

/** Whether one of its values can take the place of the other: the same field in two sections of a charter affair. */
export const isSameField = ({ kind, values }: Contradiction): boolean => kind === 'sections disagree' && values.length === 2
