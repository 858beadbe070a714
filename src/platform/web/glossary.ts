import { createStore, type Store, useStore } from './store.ts'

/** The forms of the words that labels explain, in lower case, and what they mean; longer forms first. */
export type Glossary = readonly (readonly [form: string, meaning: string])[]

/** Reads the rows of docs/users/glossary.md: the forms of a word, and what it means. */
export const readGlossary = (source: string): Glossary =>
  [...source.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .slice(1)
    .flatMap(([, forms = '', meaning = '']) => forms.split(', ').map((form) => [form.toLowerCase(), meaning] as const))
    .toSorted(([a], [b]) => b.length - a.length)

const isInWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)

/** The first word of a text that is explained, and where it begins. */
export const findExplainedWord = (glossary: Glossary, text: string): { at: number; word: string; meaning: string } | undefined => {
  const lower = text.toLowerCase()
  for (let at = 0; at < lower.length; at++) {
    if (isInWord(lower[at - 1])) continue
    const found = glossary.find(([form]) => lower.startsWith(form, at) && !isInWord(lower[at + form.length]))
    if (found) return { at, word: text.slice(at, at + found[0].length), meaning: found[1] }
  }
  return undefined
}

const glossary: Store<Glossary> = createStore<Glossary>([])
let loading: Promise<void> | undefined

/** The glossary; empty until it is loaded, with the first label that is shown. */
export const useGlossary = (): Glossary => {
  loading ??= import('../../../docs/users/glossary.md?raw').then(
    ({ default: source }) => glossary.set(readGlossary(source)),
    () => undefined, // without it, labels have no explanations
  )
  return useStore(glossary)
}
