import type { CSSProperties, Key } from 'react'

import classes from './PrintedTable.module.css'

/** A column of a printed table. */
export interface PrintedColumn<T> {
  readonly label: string
  readonly getText: (record: T) => string | null
  /** In percent of the paper; those without a width share the rest. */
  readonly width?: number
}

interface PrintedTableProps<T> {
  /** The first one names the record. */
  readonly columns: readonly PrintedColumn<T>[]
  readonly records: readonly T[]
  readonly getKey: (record: T) => Key
}

const toStyle = (width: number | undefined): CSSProperties | undefined => (width === undefined ? undefined : { width: `${width}%` })

/** Print only: records in the fewest sheets, with nothing cut off. */
export const PrintedTable = <T,>({ columns: [name, ...others], records, getKey }: PrintedTableProps<T>) =>
  name ? (
    <table className={classes.table}>
      <thead>
        <tr>
          {[name, ...others].map(({ label, width }) => (
            <th key={label} scope="col" style={toStyle(width)}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={getKey(record)}>
            <th scope="row">{name.getText(record)}</th>
            {others.map(({ label, getText }) => (
              <td key={label}>{getText(record)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  ) : null
