/** A field with its value; an empty value was not filled in. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** The value is an ISO day. */
  readonly isDay?: true
}

export interface TableColumn {
  readonly label: string
  /** Its share of the width. */
  readonly width: number
  /** Cells are ISO days. */
  readonly isDay?: true
}

/** Fields of a record, or rows; `sheet` is the sheet of the workbook that has them. */
export type Block =
  | { readonly kind: 'facts'; readonly title?: string; readonly sheet: string; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table'
      readonly title?: string
      readonly sheet: string
      readonly columns: readonly TableColumn[]
      readonly rows: readonly (readonly string[])[]
      /** What is said instead of a table without rows. */
      readonly empty: string
    }

/** What a section says of one record; without a title, of the charter. */
export interface Group {
  readonly title?: string
  readonly note?: string
  readonly blocks: readonly Block[]
}

/** One part of a dossier: a chapter of the PDF, and a workbook. */
export interface Section {
  readonly title: string
  readonly intro: string
  /** What the titles of groups are, as a column of the workbook. */
  readonly record?: string
  readonly groups: readonly Group[]
  /** What is said instead of groups. */
  readonly empty?: string
}

/** Everything a dossier says, independent of the form. */
export interface DossierDocument {
  readonly _id: string
  readonly charter: string
  readonly fileName: string
  /** 'State at the end of March 1, 2026' */
  readonly state: string
  /** The line on each page that says where it comes from. */
  readonly source: string
  readonly cover: readonly Fact[]
  /** How to check the file. */
  readonly closing: string
  readonly madeAt: string
  readonly sections: readonly Section[]
}
