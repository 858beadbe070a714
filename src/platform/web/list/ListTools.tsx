import { IconArrowDown, IconArrowUp, IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { memo, useId } from 'react'
import type { ReactNode } from 'react'

import { useNarrow } from '../narrow.ts'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { CopyMenu } from './CopyMenu.tsx'
import type { Copy } from './CopyMenu.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import type { DownloadAs } from './DownloadMenu.tsx'
import type { Look, Table } from './useTable.ts'

import classes from './ListTools.module.css'

const LOOKS: readonly { readonly look: Look; readonly label: string; readonly icon: typeof IconTable }[] = [
  { look: 'cards', label: 'Cards', icon: IconLayoutGrid },
  { look: 'table', label: 'Table', icon: IconTable },
]

const keyOf = (sort: string | undefined): string => sort?.replace(/^-/, '') ?? ''

/** In what order the list stands, for cards as for the table. */
const SortOf = <T,>({ table: { sort, setSort, columns }, own }: { table: Table<T>; own: string }) => {
  const key = keyOf(sort)
  const down = sort?.startsWith('-') ?? false
  const Sign = down ? IconArrowDown : IconArrowUp
  return (
    <span className={classes.sort}>
      <span className={classes.order}>
        <span className={classes.by} aria-hidden>
          Sort
        </span>
        <select
          aria-label="Sort"
          className={classes.select}
          value={key}
          onChange={({ currentTarget: { value } }) => setSort(value || undefined)}
        >
          <option value="">{own}</option>
          {columns.map((column) => (
            <option key={column.key} value={column.key}>
              {column.label}
            </option>
          ))}
        </select>
      </span>
      {key ? (
        <button
          type="button"
          className={classes.turn}
          aria-pressed={down}
          aria-label="Reverse order"
          title={down ? 'Descending order' : 'Ascending order'}
          onClick={() => setSort(down ? key : `-${key}`)}
        >
          <Sign size={16} stroke={1.75} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}
const Sort = memo(SortOf) as typeof SortOf

const LooksOf = <T,>({ table: { look, setLook } }: { table: Table<T> }) => {
  const name = useId()
  return (
    <fieldset className={classes.looks}>
      <legend className={classes.hidden}>Cards or table</legend>
      {LOOKS.map(({ look: one, label, icon: Sign }) => (
        <label key={one} className={classes.look} title={label}>
          <input type="radio" name={name} className={classes.hidden} checked={look === one} onChange={() => setLook(one)} />
          <Sign size={17} stroke={1.75} aria-hidden />
          <span className={classes.word}>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

const Looks = memo(LooksOf) as typeof LooksOf

interface ListToolsProps<T> {
  table: Table<T>
  /** The records that show, in their order. */
  shown: readonly T[]
  /** The list's own order in words: 'Open sites first'. */
  own: string
  /** What can be copied of the records, but for the table itself. */
  copies: readonly Copy<T>[]
  /** Gives the records that show as a file. */
  onDownload: DownloadAs
  /** A MatchCount. */
  children: ReactNode
}

/** The line above a list: how many match, their order, cards or table, which columns, and what to copy. */
export const ListTools = <T,>({ table, shown, own, copies, onDownload, children }: ListToolsProps<T>) => {
  const narrow = useNarrow()
  return (
    <div className={classes.line}>
      {children}
      <div className={classes.tools} role="group" aria-label="How the list is shown" data-print="no">
        <Sort table={table} own={own} />
        <CopyMenu shown={shown} columns={table.shownColumns} copies={copies} brief={narrow} />
        <DownloadMenu isEmpty={shown.length === 0} onDownload={onDownload} brief={narrow} />
        {table.look === 'table' ? <ColumnsMenu table={table} brief={narrow} /> : null}
        <Looks table={table} />
      </div>
    </div>
  )
}

/** The line above a list that is no table: how many match, and the list as a file. */
export const DownloadLine = ({ children, isEmpty, onDownload }: { children: ReactNode; isEmpty: boolean; onDownload: DownloadAs }) => {
  const narrow = useNarrow()
  return (
    <div className={classes.line}>
      {children}
      <div className={classes.tools} data-print="no">
        <DownloadMenu isEmpty={isEmpty} onDownload={onDownload} brief={narrow} />
      </div>
    </div>
  )
}
