import { cleanLine } from './text-cleaning.ts'

/** Words that a generated slug never is: pages and calls have them in the place of a slug (`/location/staff/{id}`, `/api/profile-photo/me`). */
const RESERVED: ReadonlySet<string> = new Set(['enrollment', 'fac', 'me', 'sis', 'staff'])

const MAX_GENERATED_LENGTH = 60

/** The slug a name gives: accents dropped, lower case, hyphens; never empty. */
export const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_GENERATED_LENGTH + 1)
    .replace(/^-/, '')
    .slice(0, MAX_GENERATED_LENGTH)
    .replace(/-$/, '') || 'unnamed'

/** A slug as it is stored and looked for: one spelling of each letter, no blanks at the ends. Case stays, and counts nowhere. */
export const normalizeSlug = (slug: string): string => cleanLine(cleanLine(slug).normalize('NFKC'))

/** The first of `slug`, `slug-2`, `slug-3` … that is neither reserved nor taken; `taken` holds lower-case slugs and is added to. */
export const findFreeSlug = (name: string, taken: Set<string>): string => {
  const slug = toSlug(name)
  let free = slug
  for (let n = 2; taken.has(free) || RESERVED.has(free); n++) free = `${slug}-${n}`
  taken.add(free)
  return free
}

/**
 * True for a slug that every browser and every parser of addresses leaves as it is: it has a letter or a digit (`.` and `..` would be dropped), no
 * control, slash or sign that means something in an address, and is in its one spelling.
 */
export const isReachableSlug = (slug: string): boolean =>
  /[\p{L}\p{N}]/u.test(slug) &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\%?#]/u.test(slug) &&
  slug.isWellFormed() &&
  normalizeSlug(slug) === slug

/** True for a slug an import may keep: it is reachable, and leads to its own record. */
export const isImportableSlug = (slug: string): boolean => isReachableSlug(slug) && !RESERVED.has(slug.toLowerCase())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** True for an id of ours that is a UUID: those of requests, saved views, sessions, and of the records made here. */
export const isUuid = (value: string): boolean => UUID.test(value)

export const MAX_ID_LENGTH = 100
/** True for what a record's `_id` can be: those that came from elsewhere keep their own form (decision 039). */
export const isId = (value: string): boolean =>
  value !== '' && value.length <= MAX_ID_LENGTH && value.trim() === value && !value.includes('\0') && value.isWellFormed()
