/**
 * A list optimized for few items. A single item is stored without an array, which would take four times the memory: there are a hundred thousand
 * lists, and most have one item.
 */
export type CompactList<T extends object> = T | readonly T[] | undefined

const isList = <T extends object>(list: CompactList<T>): list is readonly T[] => Array.isArray(list)

export const listItems = <T extends object>(list: CompactList<T>): readonly T[] => (list === undefined ? [] : isList(list) ? list : [list])

export const getFirst = <T extends object>(list: T | readonly T[]): T => (isList(list) ? (list[0] as T) : list)

/** Adds an item; the previous value must not be used anymore. Short lists are copied, since growing arrays reserve extra capacity. */
export const addTo = <T extends object>(list: CompactList<T>, item: T): CompactList<T> => {
  if (list === undefined) return item
  if (!isList(list)) return [list, item]
  if (list.length < 16) return list.concat([item])
  ;(list as T[]).push(item)
  return list
}

export const toCompactList = <T extends object>(items: readonly T[]): CompactList<T> => (items.length > 1 ? items : items[0])

export const removeFrom = <T extends object>(list: CompactList<T>, item: T): CompactList<T> => removeAt(list, listItems(list).indexOf(item))

export const removeAt = <T extends object>(list: CompactList<T>, at: number): CompactList<T> => {
  const all = listItems(list)
  if (at < 0) return list
  if (all.length <= 16) return toCompactList(all.toSpliced(at, 1))
  ;(all as T[]).splice(at, 1)
  return list
}
