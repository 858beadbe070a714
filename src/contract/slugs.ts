import { cleanLine } from './text-cleaning.ts'

/**
 * Words that are never generated as slugs, because pages and calls use them in the same position (`/location/staff/{id}`, `/api/profile-photo/me`).
 */
const RESERVED: ReadonlySet<string> = new Set(['enrollment', 'fac', 'me', 'sis', 'staff'])

const MAX_GENERATED_LENGTH = 60

/** The slug for a name: no accents, lower case, hyphens; never empty. */
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

/** A slug normalized for storage and comparison: Unicode normalized and trimmed. Case is preserved but ignored in comparisons. */
export const normalizeSlug = (slug: string): string => cleanLine(cleanLine(slug).normalize('NFKC'))

/** The first of `slug`, `slug-2`, `slug-3` … that is neither reserved nor taken; `taken` holds lower-case slugs and is extended. */
export const findFreeSlug = (name: string, taken: Set<string>): string => {
  const slug = toSlug(name)
  let free = slug
  for (let n = 2; taken.has(free) || RESERVED.has(free); n++) free = `${slug}-${n}`
  taken.add(free)
  return free
}

/**
 * Whether every browser and URL parser preserves a slug: it has a letter or digit (`.` and `..` would be dropped), no control character, slash or URL
 * delimiter, and is in normalized form.
 */
export const isReachableSlug = (slug: string): boolean =>
  /[\p{L}\p{N}]/u.test(slug) &&
  !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}/\\%?#]/u.test(slug) &&
  slug.isWellFormed() &&
  normalizeSlug(slug) === slug

/** Whether an import may keep a slug: it is reachable, and leads to its own record. */
export const isImportableSlug = (slug: string): boolean => isReachableSlug(slug) && !RESERVED.has(slug.toLowerCase())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Whether an id is a UUID, like those of requests, saved views, sessions, and records created here. */
export const isUuid = (value: string): boolean => UUID.test(value)

export const MAX_ID_LENGTH = 100
/** Whether a text is a valid `_id` of a record: imported records keep theirs, which links and other programs contain. */
export const isId = (value: string): boolean =>
  value !== '' && value.length <= MAX_ID_LENGTH && value.trim() === value && !value.includes('\0') && value.isWellFormed()
