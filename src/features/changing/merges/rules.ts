import type { Noun } from '../../../contract/format.ts'

/** What rows of tables are called that are not kinds of records; those without a noun are not counted. */
export const MOVED_NOUNS: Readonly<Record<string, Noun>> = {
  site_person: ['role', 'roles'],
  deadline: ['deadline', 'deadlines'],
  request: ['request', 'requests'],
  proposal: ['suggestion', 'suggestions'],
  planned_change: ['planned change', 'planned changes'],
  comment: ['comment', 'comments'],
  comment_recipient: ['mention', 'mentions'],
  favorite: ['favorite', 'favorites'],
  saved_view: ['saved view', 'saved views'],
  calendar: ['calendar feed', 'calendar feeds'],
}

/** Tables that name a record of any kind in `kind`, without a foreign key: the columns with its `_id`. Earlier addresses lead to the merged record, and on. */
export const NAMING_TABLES: Readonly<Record<string, readonly string[]>> = {
  check_mail: ['record'],
  comment: ['record'],
  favorite: ['record'],
  not_duplicate: ['a', 'b'],
  planned_change: ['record'],
  proposal: ['record'],
  recently_viewed: ['record'],
}

/** What belongs to an account and its address: a merge takes the merged record out, and gives it to no other. */
export const UNLINKED_TABLES: ReadonlySet<string> = new Set(['permission'])

/** Columns with texts or JSON in which an `_id` may be. */
export const TEXTS_WITH_IDS: Readonly<Record<string, readonly string[]>> = {
  calendar: ['filter'],
  comment: ['text'],
  departure: ['endedRoles', 'deadlines'],
  planned_change: ['changes', 'before'],
  proposal_field: ['path', 'before', 'suggested', 'value'],
  saved_view: ['search'],
  setting: ['value'],
}

/** Letters between the ids in paths, queries and mentions: `roles.{_id}`, `charter={_id}`, `@{_id}`. */
const WORDS = /[^\s.,&=@{}/?#%:;]+/g

/** A text or JSON value with another `_id`; lists have it once. */
export const replaceId = (value: unknown, from: string, to: string): unknown => {
  const replace = (text: string) => (text === from ? to : text.replace(WORDS, (word) => (word === from ? to : word)))
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) {
    const list = value.map((one) => replaceId(one, from, to))
    return list.filter((one, at) => one !== to || list.indexOf(one) === at)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [replace(key), replaceId(one, from, to)]))
}
