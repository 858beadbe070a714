import { useCallback } from 'react'

import type { GetSearchTexts } from '../../../contract/lists.ts'
import { createTextMatcher } from '../../../contract/text-match.ts'
import { getPlainText } from './plain-text-cache.ts'
import { parsePlainWords } from './plain-words.ts'
import type { Phrase, ParsedWords } from './plain-words.ts'

/** Parses typed text; `finished` if nothing more will be typed. Null if it is all plain text. */
export type ParseWords = (text: string, finished: boolean) => ParsedWords | null

/**
 * Turns plain words into filters for one list. Words that are part of a record's own text stay text: 'Online Academy', 'Ohio City'. No word becomes a
 * filter before the records are loaded. `phrases` must be stable between renders.
 */
export const usePlainWords = <T extends object>(
  phrases: readonly Phrase[],
  records: readonly T[],
  getSearchTexts: GetSearchTexts<T>,
): ParseWords =>
  useCallback(
    (text, finished) => {
      const understood = records.length > 0 ? parsePlainWords(text, phrases, finished) : null
      const isFound = createTextMatcher(text)
      return understood && !records.some((record) => isFound(getPlainText(record, getSearchTexts))) ? understood : null
    },
    [phrases, records, getSearchTexts],
  )
