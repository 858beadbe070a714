import { IconArrowDown, IconArrowUp, IconCheckbox, IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { memo, Suspense, use } from 'react'
import type { ReactNode } from 'react'

import { PlainSelect } from '../kit/PlainSelect.tsx'
import { type ViewChoice, ViewSwitch } from '../kit/ViewSwitch.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { CopyMenu } from './CopyMenu.tsx'
import type { CopyOption } from './CopyMenu.tsx'
import { DownloadMenu } from './DownloadMenu.tsx'
import type { DownloadAs } from './DownloadMenu.tsx'
import { type EditableList, EditInExcelContext, type EditInExcelProps } from './edit-in-excel.ts'
import { EditInExcelButton } from './EditInExcelButton.tsx'
import { ToolButton } from './ToolButton.tsx'
import type { Selection } from './use-selection.ts'
import type { ListView, Table } from './use-table.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListTools.module.css'

const VIEWS: readonly ViewChoice<ListView>[] = [
  { view: 'cards', label: 'Cards', icon: IconLayoutGrid },
  { view: 'table', label: 'Table', icon: IconTable },
]

const getSortKey = (sort: string | undefined): string => sort?.replace(/^-/, '') ?? ''

/** The sort order of the list, for cards and the table. */
const SortControl = <T,>({ table, defaultOrderLabel }: { table: Table<T>; defaultOrderLabel: string }) => {
  const { sort, setSort, columns, visibleColumns } = table
  const key = getSortKey(sort)
  const offered = columns.filter((column) => column.detailOf === undefined || column.key === key || visibleColumns.includes(column))
  const down = sort?.startsWith('-') ?? false
  const Icon = down ? IconArrowDown : IconArrowUp
  return (
    <span className={`${layoutClasses.inlineRow} ${textClasses.note} ${layoutClasses.gap2} ${classes.sort}`}>
      <span className={`${layoutClasses.inlineRow} ${classes.order}`}>
        <span className={classes.by} aria-hidden>
          Sort
        </span>
        <PlainSelect
          aria-label="Sort"
          className={classes.select}
          value={key}
          onChange={({ currentTarget: { value } }) => setSort(value || undefined)}
        >
          <option value="">{defaultOrderLabel}</option>
          {offered.map((column) => (
            <option key={column.key} value={column.key}>
              {column.label}
            </option>
          ))}
        </PlainSelect>
      </span>
      {key ? (
        <button
          type="button"
          className={`${layoutClasses.hoverable} ${classes.direction}`}
          aria-pressed={down}
          aria-label="Reverse order"
          title={down ? 'Descending order' : 'Ascending order'}
          onClick={() => setSort(down ? key : `-${key}`)}
        >
          <Icon size={16} stroke={1.75} aria-hidden />
        </button>
      ) : null}
    </span>
  )
}
const Sort = memo(SortControl) as typeof SortControl

const ViewControl = <T,>({ table: { view, setView } }: { table: Table<T> }) => (
  <ViewSwitch legend="Cards or table" choices={VIEWS} view={view} onChange={setView} isShort />
)
const ListViewSwitch = memo(ViewControl) as typeof ViewControl

interface ListToolsProps<T> extends ToolbarProps {
  table: Table<T>
  /** The listed records, in order. */
  shown: readonly T[]
  /** The label of the list's default order: 'Open sites first'. */
  defaultOrderLabel: string
  /** What can be copied from the records, besides the table itself. */
  copies: readonly CopyOption<T>[]
  /** Downloads the listed records. */
  onDownload: DownloadAs
  /** The selection, for people who may change many records: cards are selectable after Select. */
  selection?: Selection<T> | null
  /** The list, for people who may edit its records in Excel. */
  editable?: EditableList | null
}

/** Reserves the menu's space until it is loaded. */
const EditInExcel = (props: EditInExcelProps) => {
  const renderMenu = use(EditInExcelContext)
  return renderMenu ? <Suspense fallback={<EditInExcelButton isDisabled />}>{renderMenu(props)}</Suspense> : null
}

interface ToolbarProps {
  /** A MatchCount before the tools. */
  count: ReactNode
  /** After the other tools. */
  children?: ReactNode
}

const Toolbar = ({ count, children }: ToolbarProps) => (
  <div className={`${layoutClasses.spreadRow} ${classes.line}`}>
    {count}
    <div className={`${layoutClasses.toolbar} ${classes.tools}`} role="group" aria-label="List tools" data-print="no">
      {children}
    </div>
  </div>
)

/** The toolbar of a list: number of matches, sort order, copy, download, selection, columns, cards or table. */
export const ListTools = <T,>({
  table,
  shown,
  defaultOrderLabel,
  copies,
  onDownload,
  selection = null,
  editable = null,
  count,
  children,
}: ListToolsProps<T>) => (
  <Toolbar count={count}>
    <Sort table={table} defaultOrderLabel={defaultOrderLabel} />
    <CopyMenu shown={shown} columns={table.visibleColumns} copies={copies} />
    <DownloadMenu isEmpty={shown.length === 0} onDownload={onDownload} />
    {editable ? <EditInExcel list={editable} columns={table.shownColumns} /> : null}
    {selection && table.view === 'cards' ? (
      <ToolButton icon={IconCheckbox} isDisabled={shown.length === 0} onClick={() => selection.setChoosing(true)}>
        Select
      </ToolButton>
    ) : null}
    {children}
    {table.view === 'table' ? <ColumnsMenu table={table} /> : null}
    <ListViewSwitch table={table} />
  </Toolbar>
)

interface DownloadLineProps extends ToolbarProps, Pick<ListToolsProps<never>, 'onDownload' | 'editable'> {
  isEmpty: boolean
}

/** The toolbar of a list that is not a table: number of matches and download. */
export const DownloadLine = ({ isEmpty, onDownload, editable = null, count, children }: DownloadLineProps) => (
  <Toolbar count={count}>
    <DownloadMenu isEmpty={isEmpty} onDownload={onDownload} />
    {editable ? <EditInExcel list={editable} columns={undefined} /> : null}
    {children}
  </Toolbar>
)
