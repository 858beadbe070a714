/** How a history names one table and its fields. Each record's own `history.ts` describes its parts and hands them to `HistoryCard`. */
export interface HistoryPart {
  /** In a sentence: 'changed the facility'. */
  readonly name: string
  /** Heading of its fields in the filter. */
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
  /** Labels of the texts of each section, in the order of the page: of a field that is a JSON object of texts. */
  readonly sections?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Fields that the title of a change repeats. */
  readonly titleFields?: readonly string[]
  /** The title alone names it: 'removed Hannah Ashworth, Registrar'. */
  readonly isNamedByTitle?: true
  /** Its texts are shown as they were typed. */
  readonly isFreeText?: true
}

/** The parts of a record by their tables. */
export type HistoryParts = Readonly<Record<string, HistoryPart>>
