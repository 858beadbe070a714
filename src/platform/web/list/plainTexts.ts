import { searchedText, type TextsOf } from '../../contract/lists.ts'

/** So many records are made plain in one go, which takes a few milliseconds. */
const IN_ONE_GO = 500

const kept = new WeakMap<TextsOf<never>, WeakMap<object, string>>()

const placeFor = <T>(textsOf: TextsOf<T>): WeakMap<object, string> => {
  const place = kept.get(textsOf) ?? new WeakMap<object, string>()
  kept.set(textsOf, place)
  return place
}

/** What a record is found by, in plain letters (D40); made once for each record. */
export const plainTextOf = <T extends object>(record: T, textsOf: TextsOf<T>): string => {
  const place = placeFor(textsOf)
  const known = place.get(record)
  if (known !== undefined) return known
  const text = searchedText(record, textsOf)
  place.set(record, text)
  return text
}

/** Makes the records' texts plain bit by bit while nobody waits, so that no keystroke has to. Gives the way to stop. */
export const preparePlainTexts = <T extends object>(records: readonly T[], textsOf: TextsOf<T>): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const goOn = (from: number): void => {
    for (const record of records.slice(from, from + IN_ONE_GO)) plainTextOf(record, textsOf)
    if (from + IN_ONE_GO < records.length) timer = setTimeout(() => goOn(from + IN_ONE_GO))
  }
  timer = setTimeout(() => goOn(0))
  return () => clearTimeout(timer)
}
