import { z } from 'zod'

/** What saved many changes as one. */
export const ChangesetKind = z.enum(['sheet', 'bulk', 'planned', 'undo', 'merge', 'import'])

/** The labels of a table and its fields in a history. Each record's own `history.ts` describes its parts and passes them to `HistoryButton`. */
export interface HistoryPart {
  /** In a sentence: 'changed the facility'. */
  readonly name: string
  /** Heading of its fields in the filter. */
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
  /** Labels of the texts of each section, in page order, for fields that are JSON objects of texts. */
  readonly sections?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Labels of values, for fields with few values: texts, or `true` and `false`. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Labels of titles that are not names: 'Overview: Next board meeting' for `overview.next_board_meeting`. */
  readonly titles?: Readonly<Record<string, string>>
  /** Fields that the title of a change repeats. */
  readonly titleFields?: readonly string[]
  /** The title alone names it: 'removed Hannah Ashworth, Registrar'. */
  readonly isNamedByTitle?: true
  /** Its texts are shown as typed. */
  readonly isFreeText?: true
}

/** The parts of a record by table. */
export type HistoryParts = Readonly<Record<string, HistoryPart>>
