import { NICKNAMES } from '../../../contract/nicknames.ts'
import { isOneTypoApart, normalizeText } from '../../../contract/text-match.ts'

/** Words that are written in several ways, in one of them. */
const ABBREVIATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  `st saint | ste saint | mt mount | ft fort | ctr center | cntr center | centre center | acad academy | elem elementary | sch school | prep preparatory
   univ university | intl international | natl national | assn association | dist district | comm community | bldg building | jr junior | sr senior
   n north | s south | e east | w west | rc resource`
    .split(/[|\n]/)
    .map((pair) => pair.trim().split(' ')),
)
/** Words that two names of one record may differ by. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  'the of and at for a an inc llc school charter academy center resource learning campus program site'.split(' '),
)
/** Words that make two names those of different records. */
const TELLING_WORDS: ReadonlySet<string> = new Set(
  `elementary middle intermediate high junior senior primary secondary upper lower early preschool kindergarten prek tk k grade grades boys girls
   es ms hs el online virtual
   north south east west northeast northwest southeast southwest central i ii iii iv v vi one two three first second third`.split(/\s+/),
)
const isTelling = (word: string): boolean => TELLING_WORDS.has(word) || /\d/.test(word)

/** A name as it is compared. */
export interface ComparedName {
  /** Lower case, without accents. */
  readonly plain: readonly string[]
  /** Without abbreviations, in the same order. */
  readonly words: readonly string[]
  /** The words as written, in the same order. */
  readonly written: readonly string[]
  /** The same for names with the same words. */
  readonly key: string
}

const SEPARATORS = /[\s,;:/&()"“”|_‐‑–—-]+/

export const toComparedName = (name: string): ComparedName => {
  const written = name.split(SEPARATORS).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const plain = written.map((word) => normalizeText(word).replace(/[^\p{L}\p{N}]/gu, ''))
  const words = plain.map((word) => ABBREVIATIONS[word] ?? word)
  return { written, plain, words, key: words.toSorted().join(' ') }
}

export interface NameMatch {
  readonly points: number
  readonly reasons: readonly string[]
}

/** The positions of the words that another name does not have. */
const listOthers = (words: readonly string[], of: readonly string[]): number[] => {
  const left = [...of]
  return words.flatMap((word, at) => {
    const found = left.indexOf(word)
    if (found === -1) return [at]
    left.splice(found, 1)
    return []
  })
}
const join = ({ written }: ComparedName, at: readonly number[]): string => at.map((one) => written[one]).join(' ')
const differBy = (a: ComparedName, inA: readonly number[], b: ComparedName, inB: readonly number[]): string => {
  const texts = [join(a, inA), join(b, inB)].filter(Boolean).toSorted((one, other) => one.length - other.length)
  return `Names differ by ‘${texts[0] ?? ''}’`
}

const MIN_TYPO_LENGTH = 5
const MIN_PERSON_TYPO_LENGTH = 4
const MIN_COMMON_WORDS_OF_PERSON = 2

type Difference = readonly [a: ComparedName, inA: readonly number[], b: ComparedName, inB: readonly number[]]

const matchPeople = ([a, inA, b, inB]: Difference): NameMatch | undefined => {
  const [one, other] = [a.plain[inA[0] ?? -1], b.plain[inB[0] ?? -1]]
  const common = a.words.length - inA.length
  // A middle name, or an initial.
  if (one === undefined || other === undefined)
    return common >= MIN_COMMON_WORDS_OF_PERSON ? { points: 50, reasons: [differBy(a, inA, b, inB)] } : undefined
  if (inA.length > 1 || inB.length > 1 || common === 0) return undefined
  const [short, long] = one.length <= other.length ? [join(a, inA), join(b, inB)] : [join(b, inB), join(a, inA)]
  const isLastName = inA[0] === a.words.length - 1
  if (isLastName) {
    const isTypo = Math.min(one.length, other.length) >= MIN_TYPO_LENGTH && isOneTypoApart(one, other)
    return isTypo ? { points: 45, reasons: [`${short} and ${long} differ by one letter`] } : undefined
  }
  const last = 'Same last name'
  if (NICKNAMES.get(one)?.includes(other)) return { points: 45, reasons: [`${short} is short for ${long}`, last] }
  if (short.replace('.', '').length === 1 && one[0] === other[0]) return { points: 40, reasons: [`${short} may be ${long}`, last] }
  if (Math.min(one.length, other.length) < MIN_PERSON_TYPO_LENGTH || one[0] !== other[0] || !isOneTypoApart(one, other)) return undefined
  return { points: 45, reasons: [`${short} and ${long} differ by one letter`, last] }
}

const matchOthers = ([a, inA, b, inB]: Difference): NameMatch | undefined => {
  const isCommon = (name: ComparedName) => (at: number) => COMMON_WORDS.has(name.words[at] ?? '')
  const shared = a.words.filter((word, at) => !inA.includes(at) && !COMMON_WORDS.has(word))
  if (shared.length > 0 && inA.every(isCommon(a)) && inB.every(isCommon(b))) return { points: 55, reasons: [differBy(a, inA, b, inB)] }
  const [one, other] = [a.plain[inA[0] ?? -1], b.plain[inB[0] ?? -1]]
  if (one === undefined || other === undefined) return shared.length > 0 ? { points: 40, reasons: [differBy(a, inA, b, inB)] } : undefined
  if (inA.length > 1 || inB.length > 1 || Math.min(one.length, other.length) < MIN_TYPO_LENGTH || !isOneTypoApart(one, other))
    return undefined
  return { points: 45, reasons: [`${join(a, inA)} and ${join(b, inB)} differ by one letter`] }
}

/** How much the names of two records speak for one; undefined if they are the names of different records. */
export const matchNames = (a: ComparedName, b: ComparedName, areNamesOfPeople: boolean): NameMatch | undefined => {
  if (a.words.length === 0 || b.words.length === 0) return undefined
  if (a.plain.join(' ') === b.plain.join(' ')) return { points: 65, reasons: ['Same name'] }
  if (a.key === b.key) {
    const [inA, inB] = [listOthers(a.plain, b.plain), listOthers(b.plain, a.plain)]
    return { points: 60, reasons: [inA.length === 0 ? 'Same words in another order' : differBy(a, inA, b, inB)] }
  }
  const [inA, inB] = [listOthers(a.words, b.words), listOthers(b.words, a.words)]
  if (inA.some((at) => isTelling(a.words[at] ?? '')) || inB.some((at) => isTelling(b.words[at] ?? ''))) return undefined
  return (areNamesOfPeople ? matchPeople : matchOthers)([a, inA, b, inB])
}
