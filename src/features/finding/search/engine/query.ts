import type { RolesByWord } from './records.ts'
import { TypedWord, type Vocabulary } from './vocabulary.ts'
import { COMMON_ROLE_WORDS, STATE_CODES } from './words.ts'

/** The words of a search, and what it is about. */
export interface WordQuery {
  readonly words: readonly TypedWord[]
  /** Whether it mentions a role: then other words name a place rather than a person. */
  readonly mentionsRole: boolean
  /** Whether it is only a state: then it means the state, not the tens of thousands of people who work there. */
  readonly isState: boolean
  /** Whether it has only two letters: then only names that begin with them match, because too many words do. */
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
