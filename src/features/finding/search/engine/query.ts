import type { RolesByWord } from './records.ts'
import { TypedWord, type Vocabulary } from './vocabulary.ts'
import { COMMON_ROLE_WORDS, STATE_CODES } from './words.ts'

/** The words of a search, and what they say about it. */
export interface WordQuery {
  readonly words: readonly TypedWord[]
  /** A search for a role means the place where it is held, rather than someone with the name of the place. */
  readonly mentionsRole: boolean
  /** A state alone means the state, not the tens of thousands who work there. */
  readonly isState: boolean
  /** Too many words begin with two letters; names that begin with them are enough. */
  readonly isShort: boolean
}

const isRoleWord = (word: string, rolesByWord: RolesByWord): boolean =>
  !COMMON_ROLE_WORDS.has(word) && (rolesByWord.has(word) || (word.endsWith('s') && rolesByWord.has(word.slice(0, -1))))

export const buildWordQuery = (
  words: readonly string[],
  { vocabulary, rolesByWord, regionWords }: { vocabulary: Vocabulary; rolesByWord: RolesByWord; regionWords: ReadonlySet<string> },
): WordQuery => ({
  words: words.map((word) => new TypedWord(vocabulary, word, words.length === 1)),
  mentionsRole: words.length > 1 && words.some((word) => isRoleWord(word, rolesByWord)),
  isState: words.every((word) => STATE_CODES.has(word) || regionWords.has(word)),
  isShort: words.length === 1 && words[0]?.length === 2,
})
