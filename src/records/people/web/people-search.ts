import { createTextMatcher, normalizeText } from '../../../contract/text-match.ts'
import type { Person } from '../contract.ts'
import { formatRoles, formatSites } from './person-columns.tsx'

/** The employed people with a name, those with a word that begins with what was typed first. */
export const findPeople = (people: readonly Person[], typed: string, excludedId: string | undefined): Person[] => {
  const matches = createTextMatcher(typed)
  const start = normalizeText(typed).trim()
  const found = people
    .filter(({ _id, leftAt }) => leftAt === null && _id !== excludedId)
    .map((person) => ({ person, name: normalizeText(person.name) }))
    .filter(({ name }) => matches(name))
  const isWordStart = ({ name }: (typeof found)[number]): boolean => ` ${name}`.includes(` ${start}`)
  return found.toSorted((a, b) => Number(isWordStart(b)) - Number(isWordStart(a))).map(({ person }) => person)
}

/** 'Principal, Lodi' or 'Regional SRM, 12 sites'; the email address of someone without a role. */
export const formatPosition = (person: Person): string =>
  person.roles.length === 0 ? (person.email ?? 'No role') : [formatRoles(person), formatSites(person)].filter(Boolean).join(', ')
