import { useCallback } from 'react'

import { normalizeSearch, type GetSearchTexts } from '../../../contract/lists.ts'
import { getPlainText } from './plain-text-cache.ts'
import { parsePlainWords } from './plain-words.ts'
import type { Phrase, ParsedWords } from './plain-words.ts'

/** Reads what was typed; `finished` when nothing more is to come. Null where it is all text. */
export type ParseWords = (text: string, finished: boolean) => ParsedWords | null

/**
 * Turns plain words into filters for one list. Words that are part of a record's own text stay text: 'Online Academy',
 * 'Ohio City'. No word becomes a filter before the records are loaded. Keep `phrases` the same between renderings.
 */
export const usePlainWords = <T extends object>(
  phrases: readonly Phrase[],
  records: readonly T[],
  getSearchTexts: GetSearchTexts<T>,
): ParseWords =>
  useCallback(
    (text, finished) => {
      const understood = records.length > 0 ? parsePlainWords(text, phrases, finished) : null
      const wanted = normalizeSearch(text)
      return understood && !records.some((record) => getPlainText(record, getSearchTexts).includes(wanted)) ? understood : null
    },
    [phrases, records, getSearchTexts],
  )
