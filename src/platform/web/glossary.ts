import { createStore, type Store, useStore } from './store.ts'

/** The words that labels explain, from docs/users/glossary.md. */
export interface Glossary {
  /** Finds a word in a text. */
  readonly pattern: RegExp
  /** The explanations by the words in lower case, in each of their forms. */
  readonly meanings: ReadonlyMap<string, string>
}

/** Reads the rows of the table: the forms of a word, and what it means. */
export const readGlossary = (source: string): Glossary => {
  const rows = [...source.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1)
  const meanings = new Map(rows.flatMap(([, forms = '', meaning = '']) => forms.split(', ').map((form) => [form.toLowerCase(), meaning])))
  const words = [...meanings.keys()].toSorted((a, b) => b.length - a.length).join('|')
  return { pattern: new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`, 'iu'), meanings }
}

const glossary: Store<Glossary | null> = createStore<Glossary | null>(null)
let loading: Promise<void> | undefined

/** The glossary; null until it is loaded, with the first label that is shown. */
export const useGlossary = (): Glossary | null => {
  loading ??= import('../../../docs/users/glossary.md?raw').then(
    ({ default: source }) => glossary.set(readGlossary(source)),
    () => undefined, // without it, labels have no explanations
  )
  return useStore(glossary)
}
