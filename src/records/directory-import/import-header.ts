/** The fields of an imported row: their meaning, and the column headers known to contain them, preferred ones first. */
type ImportFields<Field extends string> = Readonly<Record<Field, { readonly means: string; readonly headers: readonly string[] }>>

/** A value of `--map COLUMN=FIELD`. */
export interface Mapping<Field extends string> {
  readonly column: string
  readonly field: Field
}

/** Which columns contain which field. */
export interface ImportHeader<Field extends string> {
  readonly line: number
  readonly cells: readonly string[]
  /** Positions of each field's columns; the first non-blank one counts. */
  readonly columns: Readonly<Partial<Record<Field, readonly number[]>>>
  readonly unused: readonly string[]
}

/** Headers are compared without case, spaces and underscores. */
export const normalizeHeader = (header: string): string => header.toLowerCase().replace(/[\s_\uFEFF]+/g, '')

/** Reads the headers of files with these fields. `isSingle` tells the fields that only the preferred column may contain. */
export const createHeaderReader = <Field extends string>(
  fields: ImportFields<Field>,
  normalize: (header: string) => string,
  isSingle: (field: Field) => boolean,
) => {
  const names = Object.keys(fields) as Field[]
  return {
    names,
    /** A field by its own name or a known header; undefined if there is none. */
    findField: (text: string): Field | undefined =>
      names.find((field) => normalize(field) === normalize(text)) ??
      names.find((field) => fields[field].headers.some((header) => normalize(header) === normalize(text))),
    /** Reads a header row. An explicit mapping of a field overrides all others; otherwise every known column counts, preferred ones first. */
    parse: (line: number, row: readonly string[], mappings: readonly Mapping<Field>[]): ImportHeader<Field> => {
      const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
      const plainCells = cells.map(normalize)
      const mapped = new Set(mappings.map(({ column }) => plainCells.indexOf(normalize(column))))
      const columns: Partial<Record<Field, readonly number[]>> = {}
      const used = new Set<number>()
      for (const field of names) {
        const mapping = mappings.find((one) => one.field === field)
        const known = new Set([field, ...fields[field].headers].map(normalize))
        const at = mapping
          ? [plainCells.indexOf(normalize(mapping.column))].filter((position) => position >= 0)
          : [...known].map((header) => plainCells.indexOf(header)).filter((position) => position >= 0 && !mapped.has(position))
        if (at.length > 0) columns[field] = isSingle(field) ? at.slice(0, 1) : at
        for (const position of columns[field] ?? []) used.add(position)
      }
      const unused = cells.filter((cell, position) => cell.trim() !== '' && !used.has(position)).map((cell) => cell.trim())
      return { line, cells, columns, unused }
    },
    /** The first mapped column that the file does not have. */
    findMissingColumn: ({ cells }: ImportHeader<Field>, mappings: readonly Mapping<Field>[]): string | undefined => {
      const plainCells = new Set(cells.filter((cell) => cell.trim() !== '').map(normalize))
      return mappings.find(({ column }) => !plainCells.has(normalize(column)))?.column
    },
  }
}

/** Which columns of the file are used for which fields, and which are unused. */
export const formatColumns = <Field extends string>(
  { cells, columns, unused }: ImportHeader<Field>,
  fields: readonly Field[],
): string[] => {
  const used = fields.flatMap((field) => {
    const names = columns[field]?.map((position) => cells[position]?.trim() ?? '')
    return names === undefined ? [] : [`${names.join(' or ')} = ${field}`]
  })
  return [`Columns used: ${used.join(', ')}`, ...(unused.length > 0 ? [`Columns not used: ${unused.join(', ')}`] : [])]
}
