/**
 * A list optimized for few items. A single item is stored without an array, which would take four times the memory: of a hundred thousand lists most
 * have one item.
 */
export type CompactList<T extends object> = T | readonly T[] | undefined

const isList = <T extends object>(few: CompactList<T>): few is readonly T[] => Array.isArray(few)

export const listItems = <T extends object>(few: CompactList<T>): readonly T[] => (few === undefined ? [] : isList(few) ? few : [few])

export const getFirst = <T extends object>(few: T | readonly T[]): T => (isList(few) ? (few[0] as T) : few)

/** Adds an item; the previous value must not be used anymore. Short lists are copied, since growing arrays reserve extra capacity. */
export const addTo = <T extends object>(few: CompactList<T>, item: T): CompactList<T> => {
  if (few === undefined) return item
  if (!isList(few)) return [few, item]
  if (few.length < 16) return few.concat([item])
  ;(few as T[]).push(item)
  return few
}

export const toCompactList = <T extends object>(items: readonly T[]): CompactList<T> => (items.length > 1 ? items : items[0])

export const removeFrom = <T extends object>(few: CompactList<T>, item: T): CompactList<T> => removeAt(few, listItems(few).indexOf(item))

export const removeAt = <T extends object>(few: CompactList<T>, at: number): CompactList<T> => {
  const all = listItems(few)
  if (at < 0) return few
  if (all.length <= 16) return toCompactList(all.toSpliced(at, 1))
  ;(all as T[]).splice(at, 1)
  return few
}
