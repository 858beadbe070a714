import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { can } from '../../../../contract/capabilities.ts'
import { readClipboardText } from '../../../../contract/clipboard-text.ts'
import { formatCount } from '../../../../contract/format.ts'
import { Problem } from '../../../../contract/problem.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { sendUntyped } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage, isSignedOut } from '../../../../platform/web/failures.ts'
import { getStored } from '../../../../platform/web/form/defined-fields.ts'
import { deleteDraft, listDrafts } from '../../../../platform/web/form/drafts.ts'
import { toSnapshot, type VersionedRecord } from '../../../../platform/web/form/EditForm.tsx'
import { showSaved, undoSaved } from '../../../../platform/web/form/show-saved.ts'
import type { FormEdit } from '../../../../platform/web/form/use-edit-form.ts'
import type { CellColumn, CellState } from '../../../../platform/web/list/cells.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import type { CellsProps } from '../../../../platform/web/record-features.tsx'
import { usePastedCells } from '../../sheets/web/queries.ts'
import { CellForm, type CellGroup, type EditedCell, type Opening, readValues, type SavedCell } from './CellForm.tsx'

type ListedRecord = VersionedRecord & { readonly _id: string }

const isStale = (error: unknown): boolean => error instanceof Problem && error.status === 412

/** The group of a column's fields, if the user may edit them and the records of the list have all of them. */
const findGroups = (groups: readonly CellGroup[], columns: readonly CellColumn[], level: number, record: object | undefined) =>
  new Map(
    columns.flatMap(({ key, fields = [] }): [string, CellGroup][] => {
      const has = ({ edit, fields: known }: CellGroup) =>
        edit.call.capability !== 'no session' &&
        can(level, edit.call.capability) &&
        fields.every((path) => Object.hasOwn(known, path) && record !== undefined && getStored(record, path) !== undefined)
      const group = fields.length > 0 ? groups.find(has) : undefined
      return group ? [[key, group]] : []
    }),
  )

/** Sends the saves of a record one after the other, each on top of the one before. */
const useSend = () => {
  const pending = useRef(new Map<string, Promise<unknown>>())
  // The version that a save of this table made of another one.
  const followers = useRef(new Map<string, number>())
  return useCallback(async (call: CellGroup['edit']['call'], _id: string, { body, version: based = 0, saves }: FormEdit) => {
    const before = pending.current.get(_id)
    const run = async (): Promise<VersionedRecord> => {
      await before
      let version = based
      for (let next = followers.current.get(`${_id} ${version}`); next !== undefined; next = followers.current.get(`${_id} ${version}`))
        version = next
      const saved = (await sendUntyped(call, { params: { id: _id }, body, version, saves })) as VersionedRecord
      if (saved.version > version) followers.current.set(`${_id} ${version}`, saved.version)
      return saved
    }
    const sent = run()
    pending.current.set(
      _id,
      sent.catch(() => undefined),
    )
    return sent
  }, [])
}

interface EditedCellsProps extends CellsProps {
  readonly groups: readonly CellGroup[]
}

/** The cells of a table that are being edited, each with a form of its own. */
export const Cells = ({ kind, groups, columns, visibleColumns, getName, onChange, ...table }: EditedCellsProps) => {
  // Records of lists whose fields can be edited have a version.
  const records = table.records as readonly object[] as readonly ListedRecord[]
  const level = useUser()?.accessLevel ?? Infinity
  const [first] = records
  const groupOf = useMemo(() => findGroups(groups, columns, level, first), [groups, columns, level, first])
  const sendInOrder = useSend()
  const openPreview = usePastedCells()
  /** What was saved here, which the list may not show yet. */
  const saved = useRef(new Map<string, ListedRecord>())
  const counter = useRef(0)
  const lastSaves = useRef<readonly string[]>([])
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [opened, setOpened] = useState<(Opening & { readonly key: string }) | null>(null)
  const [cellStates, setCellStates] = useState<ReadonlyMap<string, CellState>>(new Map())

  const createCell = (place: number, columnKey: string, number: number, own?: ListedRecord): EditedCell | undefined => {
    const listed = records[place]
    const group = groupOf.get(columnKey)
    const column = columns.find(({ key }) => key === columnKey)
    if (!listed || !group || !column) return undefined
    const record = own && own.version > listed.version ? own : listed
    const paths = columns.flatMap(({ fields = [] }) => fields).filter((path) => getStored(listed, path) !== undefined)
    const fields = Object.fromEntries(paths.flatMap((path) => (group.fields[path] ? [[path, group.fields[path]]] : [])))
    const draft = `cell ${kind} ${listed._id} ${columnKey}`
    return {
      key: `${draft} ${number}`,
      draft,
      record: listed._id,
      name: getName(place),
      column,
      group,
      snapshot: toSnapshot(record, readValues(fields, record)),
    }
  }
  const [cells, setCells] = useState<readonly EditedCell[]>(() => {
    const places = new Map(records.map(({ _id }, place) => [_id, place]))
    return listDrafts().flatMap(({ name }) => {
      const [what, of, _id = '', column = ''] = name.split(' ')
      const place = places.get(_id)
      const cell = what === 'cell' && of === kind && place !== undefined ? createCell(place, column, 0) : undefined
      return cell ?? []
    })
  })
  const remove = useCallback((cell: EditedCell) => {
    setCells((before) => before.filter(({ key }) => key !== cell.key))
    setCellStates((before) => new Map([...before].filter(([key]) => key !== cell.key)))
  }, [])
  const onState = useCallback((key: string, state: CellState) => setCellStates((before) => new Map(before).set(key, state)), [])

  const send = async (cell: EditedCell, edit: FormEdit): Promise<VersionedRecord> => {
    try {
      return await sendInOrder(cell.group.edit.call, cell.record, edit)
    } catch (error) {
      // The cell may be out of sight, or its page closed.
      if (!isStale(error) && !isSignedOut(error))
        showError(
          `${cell.column.label} of ${cell.name} was not saved. ${(error instanceof Problem && error.errors?.[0]?.message) || errorMessage(error)}`,
        )
      throw error
    }
  }
  const refresh = async (cell: EditedCell, record: VersionedRecord): Promise<void> => {
    saved.current.set(cell.record, record as ListedRecord)
    const focused = document.activeElement
    await queryClient.invalidateQueries()
    // A row that moves loses the focus.
    if (document.activeElement === document.body && focused instanceof HTMLElement && focused.isConnected) focused.focus()
  }
  const onSaved = async (cell: EditedCell, result: SavedCell): Promise<void> => {
    const { mergedWith, saves } = result
    lastSaves.current = saves
    showSaved({ text: `${cell.name}: ${cell.column.label} saved.`, mergedWith, saves })
    await refresh(cell, result.saved)
    remove(cell)
  }
  const onClose = (cell: EditedCell, isKept: boolean): void => {
    setOpened((now) => (now?.key === cell.key ? null : now))
    if (!isKept) remove(cell)
  }

  const start = (place: number, column: string, opening: Opening): void => {
    const known = cells.find((cell) => cell.record === records[place]?._id && cell.column.key === column)
    const mark = known && cellStates.get(known.key)?.mark
    if (mark === 'saving' || mark === 'open') return
    counter.current++
    const cell =
      known && mark !== 'saved' ? known : createCell(place, column, counter.current, saved.current.get(records[place]?._id ?? ''))
    if (!cell) return
    // At once, so that the key that opened it is written into it.
    flushSync(() => {
      if (cell !== known) setCells((before) => [...before.filter((one) => one !== known), cell])
      setOpened({ key: cell.key, ...opening })
    })
  }

  /** Whether a column can be pasted into: its cells contain one field. */
  const canPaste = ({ key, fields = [] }: CellColumn): boolean => fields.length === 1 && groupOf.has(key)
  const paste = (place: number, columnKey: string, text: string): void => {
    const block = readClipboardText(text)
    const width = Math.max(...block.map(({ length }) => length))
    const from = visibleColumns.findIndex(({ key }) => key === columnKey)
    const targets = visibleColumns.slice(from, from + width)
    const rows = records.slice(place, place + block.length)
    const [path = ''] = targets[0]?.fields ?? []
    // A single text is typed by pasting it.
    if (rows.length * width === 1 && targets[0] && canPaste(targets[0]) && groupOf.get(columnKey)?.fields[path]?.kind === 'line')
      return start(place, columnKey, { isTyped: true, pasted: block[0]?.[0] })
    const group = targets.filter(canPaste).map(({ key }) => groupOf.get(key))[0]
    if (rows.length < block.length)
      return showError(`You pasted ${formatCount(block.length, 'row')}, but only ${rows.length} follow in this list. Nothing was changed.`)
    if (targets.length < width)
      return showError(`You pasted ${formatCount(width, 'column')}, but only ${targets.length} follow in this table. Nothing was changed.`)
    if (!group) return showError(`${targets[0]?.label} cannot be pasted here. Nothing was changed.`)
    void openPreview(group.sheet, [
      [
        '_id',
        'version',
        ...targets.map((column) => (canPaste(column) && groupOf.get(column.key) === group ? (column.fields?.[0] ?? '') : column.label)),
      ],
      ...rows.map(({ _id, version }, nth) => [_id, String(version), ...targets.map((_, at) => block[nth]?.[at] ?? '')]),
    ])
  }

  const editable = useMemo(() => new Set(groupOf.keys()), [groupOf])
  const states = useMemo(() => {
    const byRecord = new Map<string, Map<string, CellState>>()
    for (const { key, record, column } of cells) {
      const state = opened?.key === key ? { text: '', ...cellStates.get(key), mark: 'open' as const } : cellStates.get(key)
      if (state) byRecord.set(record, (byRecord.get(record) ?? new Map<string, CellState>()).set(column.key, state))
    }
    return byRecord
  }, [cells, cellStates, opened])
  const latest = useRef({ start, paste })
  useLayoutEffect(() => {
    latest.current = { start, paste }
  })
  const tableCells = useMemo(
    () => ({
      editable,
      states,
      start: (place: number, column: string, isTyped: boolean) => latest.current.start(place, column, { isTyped }),
      paste: (...given: Parameters<typeof paste>) => latest.current.paste(...given),
      undo: () => {
        const saves = lastSaves.current
        lastSaves.current = []
        if (saves.length > 0) undoSaved(saves)
      },
      setAnchor,
    }),
    [editable, states],
  )
  useLayoutEffect(() => onChange(tableCells), [onChange, tableCells])

  return cells.map((cell) => (
    <CellForm
      key={cell.key}
      cell={cell}
      opening={opened?.key === cell.key ? opened : undefined}
      anchor={anchor}
      onState={onState}
      send={send}
      onSaved={(of, result) => void onSaved(of, result)}
      onClose={onClose}
      onCancel={({ draft }) => deleteDraft(draft)}
    />
  ))
}
