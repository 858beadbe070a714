import { constants, deflateRawSync } from 'node:zlib'

/** Words that appear in examples, comments and commands. */
const EXAMPLE_WORDS =
  /openssl|change[-_ ]?(me|this|it)|replace[-_ ]?(me|this|it)|example|placeholder|passw|secret|insert|generate|sample|default|homeroom|metrics/i
/** Left over from a template: a comment, a URL, an assignment, an ellipsis, brackets, a shell substitution. */
const TEMPLATE = /#|…|:\/\/|[^=]=[^=]|\.\.\.|[<>`]|\$[({]|\{\{|x{4}/i
/** A random text of 32 characters has more distinct ones, even with hexadecimal digits only. */
const MIN_DISTINCT_CHARACTERS = 8

/** The most frequent letter pairs of English: a quarter of all pairs are among the first dozen. */
const COMMON_PAIRS = new Set(
  'thheineranreonatendtiesorteofeditisalarsttontngsehaasouioleveconmedehirironicneearacelichllbemasiomurcaeltalansdifohopeecprnoctusacotiltrlyncetutsssorsunlowage'.match(
    /../g,
  ),
)
const countLetters = (runs: readonly string[] | null): number => (runs ?? []).join('').length

/** Whether a text is mostly words; fewer than ten of 10,000 random texts of 24 bytes or more match. */
const readsLikeWords = (text: string): boolean => {
  const pairs = [...text.toLowerCase().matchAll(/(?=([a-z]{2}))/g)].map(([, pair = '']) => pair)
  const common = pairs.filter((pair) => COMMON_PAIRS.has(pair)).length
  const inRuns = countLetters(text.match(/[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}/g)) / text.length
  return inRuns > 0.9 || (inRuns >= 0.6 && common >= 4 && common >= pairs.length * 0.3)
}

const KEYBOARD_ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const NEIGHBORS = new Set(
  KEYBOARD_ROWS.flatMap((row) => [row, [...row].toReversed().join('')]).flatMap((row) => [...row].map((_c, at) => row.slice(at, at + 2))),
)

/** Consecutive letters and digits of the alphabet or the keyboard. */
const isSequence = (text: string): boolean => {
  const lower = text.toLowerCase()
  const inOrder = [...lower].filter((_letter, at) => at > 0 && NEIGHBORS.has(lower.slice(at - 1, at + 1))).length
  return inOrder > (text.length - 1) * 0.4
}

/** Repeated parts compress well; single letters never do with this strategy. */
const isRepetitive = (text: string): boolean =>
  deflateRawSync(text, { strategy: constants.Z_FIXED, level: 9 }).length < Buffer.byteLength(text) * 0.75

/** Why a secret chosen by the operator is too weak; undefined if it is not. */
export const findWeakness = (secret: string): string | undefined => {
  if (new Set(secret).size < MIN_DISTINCT_CHARACTERS) return `has fewer than ${MIN_DISTINCT_CHARACTERS} different characters`
  if (/[^\u0021-\u007e]/.test(secret) && !TEMPLATE.test(secret))
    return 'has a space, or a character other than a plain letter, digit or sign'
  if (TEMPLATE.test(secret)) return 'looks like an example’s: it contains a comment or a placeholder'
  if (isRepetitive(secret)) return 'repeats the same text'
  if (isSequence(secret)) return 'has letters or digits in sequence'
  if (EXAMPLE_WORDS.test(secret) || readsLikeWords(secret)) return 'looks like an example’s: it contains words'
  return undefined
}

const PLACEHOLDER_NAME =
  /^(the|my|your|our|some|client|app|db|database|oidc|smtp)?[-_ ]?(password|passwd|pass|secret|key|token|tenant|client|value|changeme|change[-_ ]me|xxx+|todo|placeholder|example|id|guid|uuid)([-_ ]?(id|here|value|goes[-_ ]here))?$/i

/** Whether a value is a placeholder of an example: `PASSWORD`, `<tenant>`, `…`. A real password may contain any character. */
export const isPlaceholder = (quoted: string): boolean => {
  // Some programs keep the quotation marks of an environment file.
  const value = quoted.replace(/^(['"])(.*)\1$/s, '$2')
  return PLACEHOLDER_NAME.test(value) || /…|openssl|^\.{3,}$|^(<.*>|\{.*\}|\[.*\]|\$.*)$|^(.)\2{2,}$/i.test(value)
}

/** The same for values issued by a provider, which contain only letters, digits and a few symbols. */
export const isProviderPlaceholder = (value: string): boolean => isPlaceholder(value) || TEMPLATE.test(value) || /[\s{}]/.test(value)
