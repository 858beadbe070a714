import { toCellLine } from '../../contract/import-values.ts'
import { Problem } from '../../contract/problem.ts'
import { ImportError } from '../../platform/server/import-error.ts'
import {
  type ImportColumn,
  type ImportedTable,
  type Importer,
  type ImportMapping,
  type ImportWord,
  NEW_RECORD,
} from '../../platform/server/importer.ts'
import { UnreadableWorkbook } from '../../platform/server/workbook-reader.ts'
import { compareImport } from './compare.server.ts'
import { guessColumns } from './guess-columns.server.ts'
import { IMPORT_KINDS, type ImportKind } from './import-kinds.ts'
import { withUnpackedFolder } from './legacy/archive.server.ts'
import type { FindingType } from './legacy/findings.ts'
import { prepareLegacyImport } from './legacy/import.server.ts'
import { formatFiles, formatLegacyOutcome } from './legacy/messages.ts'
import { markGone, undoEmployees, writeImport } from './mutations.server.ts'
import { guessKind, readTable } from './read-table.server.ts'
import { createWordGuess, listWordChoices, type WordChoices } from './words.server.ts'

/** More different words in one column are not words. */
const MAX_WORDS = 2000
const CHOSEN = 'Chosen by you'

const toKind = (kind: string): ImportKind => {
  if (!Object.hasOwn(IMPORT_KINDS, kind)) throw new Error(`There is no import of ${kind}`)
  return kind as ImportKind
}

/** Columns with what was chosen for them instead of the guess; a field belongs to one column. */
const applyChosen = (
  columns: readonly ImportColumn[],
  fields: readonly string[],
  chosen: ImportMapping['columns'] | undefined,
): ImportColumn[] => {
  if (!chosen) return [...columns]
  const taken = new Set(Object.values(chosen))
  return columns.map((column) => {
    const field = chosen[column.index]
    if (field !== undefined && (field === null || fields.includes(field)))
      return field === column.field ? column : { ...column, field, confidence: 1, reason: CHOSEN }
    return column.field !== null && taken.has(column.field)
      ? { ...column, field: null, confidence: 0, reason: 'Another column has this field' }
      : column
  })
}

const MAX_SAMPLE_ROWS = 200
const MIN_SHARE = 0.6
/** Most job titles are not roles. */
const MIN_SHARE_OF_ROLES = 0.3
const REASONS = {
  category: 'Values are facility types',
  role: 'Values look like roles',
  brand: 'Values are names of brands',
  charter: 'Values are names of charters',
  site: 'Values are names of sites',
  region: 'Values are names of regions',
} as const

/** Columns without a known header whose values are names of sites, roles and other records, for fields that no other column has. */
const recognizeWords = (
  columns: readonly ImportColumn[],
  kind: ImportKind,
  { rows }: ImportedTable,
  choices: WordChoices,
): readonly ImportColumn[] => {
  const found = new Map<number, ImportColumn>()
  for (const [key, { words }] of Object.entries(IMPORT_KINDS[kind])) {
    if (words === undefined || words === 'status' || columns.some(({ field }) => field === key)) continue
    const guess = createWordGuess(words, choices[words] ?? [])
    const shares = columns.flatMap((column) => {
      const texts = rows.slice(0, MAX_SAMPLE_ROWS).flatMap(({ cells }) => toCellLine(cells[column.index] ?? '') || [])
      const isKnown = (text: string): boolean => {
        const { target, confidence } = guess(text)
        // Of a type, any word for a place is similar.
        return target !== null && target !== NEW_RECORD && (words !== 'category' || confidence === 1)
      }
      const isFree = column.field === null && !found.has(column.index) && texts.length > 1
      return isFree ? [{ column, share: texts.filter(isKnown).length / texts.length }] : []
    })
    const [best] = shares
      .filter(({ share }) => share >= (words === 'role' ? MIN_SHARE_OF_ROLES : MIN_SHARE))
      .toSorted((one, other) => other.share - one.share)
    if (!best) continue
    const confidence = best.share >= 0.9 ? 0.75 : 0.5
    found.set(best.column.index, { ...best.column, field: key, confidence, reason: REASONS[words] })
  }
  return columns.map((column) => found.get(column.index) ?? column)
}

/** Refusals of a file are those of an upload. */
const withFileProblems = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ImportError) && !(error instanceof UnreadableWorkbook)) throw error
    const message =
      error instanceof ImportError
        ? error.message
        : `This file cannot be read: ${error.message}. Save it in Excel as .xlsx and choose it again.`
    throw new Problem(422, 'This file cannot be used', { detail: message, errors: [{ path: 'file', message }] })
  }
}

export const importer: Importer = {
  readTable: (bytes, kind, maxRows) => withFileProblems(() => readTable(bytes, toKind(kind), maxRows)),
  guessKind: (bytes, kinds) => withFileProblems(() => guessKind(bytes, kinds.map(toKind))),
  importLegacy: (db, zip, { fileName, appId, timeZone, withPermissions, note }, tx) =>
    withFileProblems(() =>
      withUnpackedFolder(zip, fileName, async (path) => {
        const options = { path, dryRun: tx === undefined, beside: true, withoutPermissions: !withPermissions, appId, timeZone }
        const listener = {
          onPlanned: () => {},
          onWritten: (rows: number, of: number) => note?.(rows, of),
          onWaiting: () => {},
          throwIfStopped: () => {},
        }
        const work = await prepareLegacyImport(db, options, listener)
        const outcome = tx
          ? await work(tx)
          : await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
        const { plan, findings, files } = outcome
        const count = (of: (table: (typeof plan)[number]) => number) => plan.reduce((sum, table) => sum + of(table), 0)
        const find = (...types: FindingType[]) => findings.filter(({ type }) => types.includes(type)).length
        return {
          added: count(({ inserts }) => inserts.length),
          changed: count(({ updates }) => updates.length),
          unchanged: count(({ presentIds }) => presentIds.length) - count(({ updates }) => updates.length),
          kept: find('kept'),
          refused: find('refused', 'not placed', 'missing'),
          records: files.reduce((sum, { records }) => sum + records, 0),
          lines: [...formatFiles(outcome), ...formatLegacyOutcome(outcome, { done: tx !== undefined })],
        }
      }),
    ),
  guess: async (db, kindName, table, chosen) => {
    const kind = toKind(kindName)
    const fields = IMPORT_KINDS[kind]
    const choices = await listWordChoices(db, new Set(Object.values(fields).flatMap(({ words }) => words ?? [])))
    const guessed = recognizeWords(guessColumns(kind, table.headers, table.rows), kind, table, choices)
    const columns = applyChosen(guessed, Object.keys(fields), chosen?.columns)
    const withWords = columns.flatMap(({ index, field }) => {
      const words = field === null ? undefined : fields[field]?.words
      return words !== undefined && field !== null ? [{ index, field, words }] : []
    })
    const values = withWords.flatMap(({ index, field, words }): ImportWord[] => {
      const counts = new Map<string, number>()
      for (const { cells } of table.rows) {
        const word = toCellLine(cells[index] ?? '')
        if (word !== '' && (counts.has(word) || counts.size < MAX_WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      const own = choices[words] ?? []
      const known = new Set(own.map(({ value }) => value))
      const guess = createWordGuess(words, own)
      return [...counts].map(([value, count]) => {
        const target = chosen?.values[field]?.[value]
        const guessed = guess(value)
        const isChosen =
          target !== undefined && target !== guessed.target && (target === null || target === NEW_RECORD || known.has(target))
        return { field, column: index, value, count, ...(isChosen ? { target, confidence: 1, reason: CHOSEN } : guessed) }
      })
    })
    return {
      columns,
      values,
      fields: Object.entries(fields).map(([key, { label, type, isRequired = false, none = null, about = null }]) => ({
        key,
        label,
        type,
        isRequired,
        none,
        about,
      })),
      choices: Object.fromEntries(withWords.map(({ field, words }) => [field, choices[words] ?? []])),
    }
  },
  compare: (db, kind, table, mapping, corrections, options) =>
    withFileProblems(() => compareImport(db, toKind(kind), table, mapping, corrections, options)),
  write: writeImport,
  undo: undoEmployees,
  markGone,
}
