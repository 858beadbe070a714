/** The slug a name gives: accents dropped, lower case, hyphens; never empty (D3). */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '') || 'unnamed'

/** The first of `slug`, `slug-2`, `slug-3` … that is not taken; `taken` holds lower-case slugs and is added to. */
export const freeSlug = (name: string, taken: Set<string>): string => {
  const slug = slugOf(name)
  let free = slug
  for (let n = 2; taken.has(free); n++) free = `${slug}-${n}`
  taken.add(free)
  return free
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** True for an id of ours that is a UUID: those of requests, saved views, sessions, and of the records made here. */
export const isUuid = (value: string): boolean => UUID.test(value)

export const LONGEST_ID = 100
/** True for what a record's `_id` can be: those that came from elsewhere keep their own form (decision 039). */
export const isId = (value: string): boolean =>
  value !== '' && value.length <= LONGEST_ID && value.trim() === value && !value.includes('\0') && value.isWellFormed()
