import { useCallback } from 'react'

import { normalizeSearch, type GetSearchTexts } from '../../contract/lists.ts'
import { plainTextOf } from './plainTexts.ts'
import { readPlainWords } from './plainWords.ts'
import type { Phrase, Understood } from './plainWords.ts'

/** Reads what was typed; `finished` when nothing more is to come. Null where it is all text. */
export type ReadWords = (text: string, finished: boolean) => Understood | null

/**
 * Plain words into filters for one list. What one of its records has in its own texts stays text as a whole: 'Online Academy',
 * 'Ohio City'. Nothing is read before the records are there to say so. Keep `phrases` the same between renderings.
 */
export const usePlainWords = <T extends object>(
  phrases: readonly Phrase[],
  records: readonly T[],
  getSearchTexts: GetSearchTexts<T>,
): ReadWords =>
  useCallback(
    (text, finished) => {
      const understood = records.length > 0 ? readPlainWords(text, phrases, finished) : null
      const wanted = normalizeSearch(text)
      return understood && !records.some((record) => plainTextOf(record, getSearchTexts).includes(wanted)) ? understood : null
    },
    [phrases, records, getSearchTexts],
  )
