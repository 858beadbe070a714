import { describeType, type ImportType, isSerialDay, looksLike, toCellLine } from '../../contract/import-values.ts'
import type { ImportColumn } from '../../platform/server/importer.ts'
import type { ImportField } from './import-fields.ts'
import { type ImportKind, IMPORT_KINDS } from './import-kinds.ts'

/** A header without case, accents and punctuation, and without the notes in parentheses behind it. */
const simplify = (text: string): string =>
  text
    .toLowerCase()
    .replace(/#/g, ' number ')
    .replace(/[^\p{L}\p{N}]+/gu, '')
/** The words of a header: `SchoolName` and `SCHOOL_NAME` have two. */
const toWords = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )

/** What rows are about, which headers repeat before what they name: `Campus Status`. */
const SUBJECT = /^(?:campus|school|site|center|centre|office|location|facility|building|lc|rc|main|current)\b\W*(?=\w)/i
const withoutSubject = (header: string): string => simplify(header.replace(SUBJECT, ''))

interface KnownField {
  readonly key: string
  readonly field: ImportField
  readonly names: ReadonlySet<string>
  /** The names without what rows are about. */
  readonly plainNames: ReadonlySet<string>
  readonly words: readonly ReadonlySet<string>[]
}
const listKnown = (kind: ImportKind): KnownField[] =>
  Object.entries(IMPORT_KINDS[kind]).map(([key, field]) => {
    const names = [key, field.label, ...field.headers]
    return {
      key,
      field,
      names: new Set(names.map(simplify)),
      plainNames: new Set(names.map(withoutSubject)),
      words: names.map(toWords).filter(({ size }) => size > 0),
    }
  })
const KNOWN: Readonly<Record<ImportKind, readonly KnownField[]>> = {
  charters: listKnown('charters'),
  sites: listKnown('sites'),
  staff: listKnown('staff'),
  employees: listKnown('employees'),
  sis_sites: listKnown('sis_sites'),
}

/** How well a header names a field: 1 as one of its known names, less if it only contains their words. */
const scoreName = (header: string, { names, words, plainNames }: KnownField): number => {
  const plain = simplify(header)
  if (plain === '') return 0
  if (names.has(plain) || names.has(simplify(header.split('(')[0] ?? ''))) return 1
  if (names.has(simplify(header.split('/')[0] ?? '')) || plainNames.has(withoutSubject(header))) return 0.95
  const own = toWords(header)
  let best = 0
  for (const known of words) {
    const shared = [...known].filter((word) => own.has(word)).length
    if (shared < known.size) continue
    best = Math.max(best, shared / own.size)
  }
  return best * 0.8
}

const MIN_HEADER = 2
/** How much a row looks like a header of this kind, above these rows. */
export const scoreHeader = (kind: ImportKind, cells: readonly string[], below: readonly (readonly string[])[]): number => {
  const filled = cells.filter((cell) => cell.trim() !== '')
  if (filled.length < MIN_HEADER || below.length === 0) return filled.length / 100
  const named = filled.map((cell) => (cell.length > 80 ? 0 : Math.max(...KNOWN[kind].map((known) => scoreName(cell, known)))))
  const values = filled.filter((cell) => /\d{3}|\S@\S/.test(cell) || cell.length > 80).length
  return named.reduce((sum, score) => sum + (score >= 0.5 ? score : 0), 0) - values + filled.length / 100
}

/** The values of a column that are compared with what fields hold. */
const SAMPLE = 200
const readSample = (rows: readonly { readonly cells: readonly string[] }[], at: number): string[] => {
  const texts: string[] = []
  const step = Math.max(1, Math.floor(rows.length / (SAMPLE * 2)))
  for (let row = 0; row < rows.length && texts.length < SAMPLE; row += step) {
    const text = toCellLine(rows[row]?.cells[at] ?? '')
    if (text !== '') texts.push(text)
  }
  return texts
}

/** Types whose values look so much like themselves that no header is needed. */
const DISTINCTIVE: ReadonlySet<ImportType> = new Set([
  'id',
  'address',
  'place',
  'state',
  'zip',
  'phone',
  'email',
  'url',
  'street',
  'grades',
])
/** Words of a status, by which a column without a known header is recognized. */
const STATUS_WORD =
  /^(?:active|open|closed|pending|new|inactive|operational|future|merged|reopened|open\/operational|operating|opening|approved|proposed|surrendered|revoked|terminated|temporar\w+|suspended)\b/i

const SURE = 0.9
const LIKELY = 0.75
const DOUBTFUL = 0.5

interface Fit {
  readonly confidence: number
  readonly reason: string
}

const NO_FIT: Fit = { confidence: 0, reason: '' }

/** How well a column holds a field, by its header and its values. */
const findFit = (header: string, texts: readonly string[], known: KnownField): Fit => {
  const { type, words, isNamed } = known.field
  const named = scoreName(header, known)
  const look = describeType(type)
  const share = texts.length === 0 ? 0 : texts.filter((text) => looksLike(type, text)).length / texts.length
  if (named >= DOUBTFUL) {
    if (texts.length === 0) return { confidence: named * LIKELY, reason: 'Only the header: the column is empty' }
    const exact = named === 1
    if (look === undefined || type === 'street' || type === 'url')
      return { confidence: exact ? 0.95 : named * SURE, reason: exact ? 'Name of the column' : 'Similar name: please check' }
    if (share >= 0.5) return { confidence: exact ? 1 : 0.8 + named * 0.15, reason: describeSerials(type, texts) ?? 'Name and values' }
    if (type === 'id') return { confidence: exact ? SURE : DOUBTFUL, reason: exact ? 'Name of the column' : 'Please check' }
    return { confidence: exact ? 0.45 : 0.3, reason: `Its values do not look like ${look}` }
  }
  if (isNamed) return NO_FIT
  if (DISTINCTIVE.has(type) && texts.length >= 2 && share >= 0.8)
    return { confidence: LIKELY + share * 0.1, reason: `Values look like ${look}` }
  if (type === 'person' && texts.length >= 2 && share >= 0.9)
    return { confidence: DOUBTFUL, reason: 'Values look like names of people: please check' }
  if (words === 'status' && texts.length >= 2 && texts.filter((text) => STATUS_WORD.test(text)).length / texts.length >= 0.8)
    return { confidence: LIKELY, reason: 'Values look like a status' }
  return NO_FIT
}

const describeSerials = (type: ImportType, texts: readonly string[]): string | undefined => {
  const serials = type === 'day' ? texts.filter(isSerialDay).length : 0
  return serials === 0 ? undefined : `${serials} are day numbers of a spreadsheet: read as dates`
}

const MIN_CONFIDENCE = 0.3
const MAX_SAMPLES = 4
const MAX_SAMPLE_LENGTH = 80

/** What each column becomes: each field is read from one column, the one that fits it best. */
export const guessColumns = (
  kind: ImportKind,
  headers: readonly string[],
  rows: readonly { readonly cells: readonly string[] }[],
): ImportColumn[] => {
  const columns = headers.map((header, index) => ({ header, index, texts: readSample(rows, index) }))
  const fits = columns.flatMap(({ header, index, texts }) =>
    KNOWN[kind].map((known, rank) => ({ index, key: known.key, rank, ...findFit(header, texts, known) })),
  )
  const taken = new Map<number, Fit & { readonly key: string }>()
  const used = new Set<string>()
  for (const fit of fits.toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank || a.index - b.index)) {
    if (fit.confidence < MIN_CONFIDENCE || taken.has(fit.index) || used.has(fit.key)) continue
    taken.set(fit.index, fit)
    used.add(fit.key)
  }
  dropRepeated(taken)
  dropNameless(taken)
  return columns.map(({ header, index, texts }) => {
    const fit = taken.get(index)
    return {
      index,
      header,
      samples: [...new Set(texts)].slice(0, MAX_SAMPLES).map((text) => text.slice(0, MAX_SAMPLE_LENGTH)),
      field: fit?.key ?? null,
      confidence: Math.round((fit?.confidence ?? 0) * 100) / 100,
      reason: fit?.reason ?? (texts.length === 0 ? 'Empty' : 'Homeroom has no field for it'),
    }
  })
}

/** Fields that would say the same twice: the better column stays. */
const REPEATED = [
  ['full_name', 'FirstName', 'LastName'],
  ['principal', 'principal_first', 'principal_last'],
  ['address', 'address_1', 'city', 'place'],
  ['place', 'city', 'state', 'zip'],
] as const
const dropRepeated = (taken: Map<number, Fit & { readonly key: string }>): void => {
  for (const [whole, ...parts] of REPEATED) {
    const entry = [...taken].find(([, { key }]) => key === whole)
    if (!entry) continue
    const own = [...taken].filter(([, { key }]) => (parts as readonly string[]).includes(key))
    const isBetter = own.length >= 2 || own.some(([, { confidence }]) => confidence > entry[1].confidence)
    if (own.length > 0 && isBetter) taken.delete(entry[0])
    else for (const [index] of own) taken.delete(index)
  }
}

/** The address and phone of a principal without a name are those of the school. */
const dropNameless = (taken: Map<number, Fit & { readonly key: string }>): void => {
  if ([...taken.values()].some(({ key }) => key === 'principal' || key === 'principal_last')) return
  for (const [index, { key }] of taken) if (key.startsWith('principal')) taken.delete(index)
}
