import { Modal, Popover } from '@mantine/core'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { ConflictView } from '../../../../platform/web/form/ConflictView.tsx'
import { getStored } from '../../../../platform/web/form/defined-fields.ts'
import { toSnapshot, type VersionedRecord } from '../../../../platform/web/form/EditForm.tsx'
import { FieldInput } from '../../../../platform/web/form/FieldInput.tsx'
import { type FieldsByPath, formatValue, toFormValue } from '../../../../platform/web/form/fields.ts'
import type { RecordSnapshot } from '../../../../platform/web/form/record-parts.ts'
import { UnsavedChangesGuard } from '../../../../platform/web/form/UnsavedChangesGuard.tsx'
import { type FormEdit, type FormState, useEditForm } from '../../../../platform/web/form/use-edit-form.ts'
import type { Values } from '../../../../platform/web/form/values.ts'
import { isSaveKey, useKeyDown } from '../../../../platform/web/keyboard.ts'
import type { CellColumn, CellState } from '../../../../platform/web/list/cells.ts'
import type { FieldGroup, LoadedFields } from '../../../../platform/web/record-kinds.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './CellForm.module.css'

/** A group of fields that is saved by the call of its form. */
export type CellGroup = FieldGroup & LoadedFields & Required<Pick<FieldGroup, 'edit'>>

/** A cell that was opened, until its value is saved and listed. */
export interface EditedCell {
  /** Differs each time that a cell is opened again after it was saved. */
  readonly key: string
  /** The key of its unsaved changes. */
  readonly draft: string
  readonly record: string
  /** The name of the record, for messages. */
  readonly name: string
  readonly column: CellColumn
  readonly group: CellGroup
  readonly snapshot: RecordSnapshot
}

/** The values of the fields that a record of a list has. */
export const readValues = (fields: FieldsByPath, record: object): Values =>
  Object.fromEntries(Object.entries(fields).map(([path, field]) => [path, toFormValue(field, getStored(record, path))]))

/** Where the focus goes from a cell: to the next one in the direction of an arrow key, to the cell itself, or where it was put already. */
type Leave = 'ArrowDown' | 'ArrowUp' | 'ArrowRight' | 'ArrowLeft' | 'cell' | 'elsewhere'

/** How a cell is opened: a key that was pressed, or a text that was pasted, replaces its content. */
export interface Opening {
  readonly isTyped: boolean
  readonly pasted?: string | undefined
}

interface CellInputsProps {
  readonly cell: EditedCell
  readonly form: FormState
  readonly opening: Opening
  /** Saves what was changed; the cell is closed once it is being sent. */
  readonly onCommit: (leave: Leave) => void
  readonly onCancel: () => void
}

const listInputs = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('input:not([type="hidden"], [disabled]), select, textarea') ?? []),
]

/** The inputs of the fields that a cell shows. */
const CellInputs = ({ cell: { column }, form, opening: { isTyped, pasted }, onCommit, onCancel }: CellInputsProps) => {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const paths = column.fields ?? []
  useLayoutEffect(() => {
    const [input] = listInputs(box.current)
    input?.focus({ preventScroll: true })
    if (pasted !== undefined && paths[0] !== undefined) form.set(paths[0], pasted)
    if (!(input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement)) return
    if (isTyped) input.select()
    else if (input.type === 'text' || input.type === 'textarea') input.setSelectionRange(input.value.length, input.value.length)
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it is opened
  }, [])
  useKeyDown((event) => {
    const { key, shiftKey, altKey } = event
    const input = event.target as HTMLElement
    // An open list takes the keys that choose one of its entries or close it.
    const isListOpen = input.getAttribute('aria-expanded') === 'true'
    if (event.defaultPrevented || event.isComposing) return
    if (isListOpen && (key === 'Escape' || (key === 'Enter' && input.hasAttribute('aria-activedescendant')))) return
    const leave = (by: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      by()
    }
    if (key === 'Escape') leave(onCancel)
    else if (isSaveKey(event)) leave(() => onCommit('cell'))
    else if (key === 'Enter' && !altKey && !(shiftKey && input instanceof HTMLTextAreaElement))
      leave(() => onCommit(shiftKey ? 'ArrowUp' : 'ArrowDown'))
    else if (key === 'Tab' && listInputs(box.current).at(shiftKey ? 0 : -1) === input)
      leave(() => onCommit(shiftKey ? 'ArrowLeft' : 'ArrowRight'))
  }, box)
  const onLeave = useEffectEvent(() => onCommit('elsewhere'))
  useEffect(() => {
    const { current } = box
    // The focus has moved only after the event.
    const onBlur = () =>
      setTimeout(() => {
        if (current?.isConnected && !current.contains(document.activeElement) && document.hasFocus()) onLeave()
      })
    current?.addEventListener('focusout', onBlur)
    return () => current?.removeEventListener('focusout', onBlur)
  }, [])
  return (
    <div ref={box} className={layoutClasses.stack}>
      {paths.map((path) => {
        const field = form.fields[path]
        if (!field) return null
        const inputId = `${id}${path}`
        const error = form.errors[path]
        return (
          <div key={path} className={layoutClasses.shrinkable}>
            {field.kind === 'check' ? null : (
              <label htmlFor={inputId} className={paths.length === 1 ? layoutClasses.visuallyHidden : textClasses.label}>
                {field.label}
              </label>
            )}
            <FieldInput
              id={inputId}
              path={path}
              field={field}
              value={form.values[path] ?? null}
              values={form.values}
              required={form.required.has(path)}
              error={error}
              describedBy={error === undefined ? undefined : `${inputId}-error`}
              before={form.base[path] ?? null}
              onChange={(next) => form.set(path, next)}
              onBlur={() => form.handleBlur(path)}
              onBlock={(reason) => form.blockSaving(path, reason)}
            />
            {error === undefined ? null : (
              <p id={`${inputId}-error`} role="alert" className={`${textClasses.hint} ${textClasses.error} ${layoutClasses.topMargin4}`}>
                {error}
              </p>
            )}
          </div>
        )
      })}
    </div>
  )
}

/** What was saved: the record, who saved it in the meantime, and the requests that saved it. */
export interface SavedCell {
  readonly saved: VersionedRecord
  readonly mergedWith: RecordSnapshot | null
  readonly saves: readonly string[]
}

interface CellFormProps {
  readonly cell: EditedCell
  /** Undefined while it is closed. */
  readonly opening: Opening | undefined
  /** The element in the cell over which the inputs are shown; null while it is not rendered. */
  readonly anchor: HTMLElement | null
  readonly onState: (key: string, state: CellState) => void
  /** Saves the fields of a record on top of a version. */
  readonly send: (cell: EditedCell, edit: FormEdit) => Promise<VersionedRecord>
  readonly onSaved: (cell: EditedCell, saved: SavedCell) => void
  /** `isKept` if it has a value that is not listed. */
  readonly onClose: (cell: EditedCell, isKept: boolean) => void
  readonly onCancel: (cell: EditedCell) => void
}

/** The form of one cell: the fields that its column shows, with the rules, unsaved changes and conflicts of the record's form. */
export const CellForm = ({ cell, opening, anchor, onState, send, onSaved, onClose, onCancel }: CellFormProps) => {
  const { key, draft, record, column, group, snapshot } = cell
  const { schema, edit, derivedValues } = group
  const fields = useMemo(
    () => Object.fromEntries(Object.keys(snapshot.values).flatMap((path) => (group.fields[path] ? [[path, group.fields[path]]] : []))),
    [snapshot, group],
  )
  const [isSaved, setSaved] = useState(false)
  const form = useEditForm<VersionedRecord>({
    name: draft,
    fields,
    schema: schema ?? edit.call.body,
    crossFieldRules: edit.crossFieldRules,
    derivedValues,
    record: snapshot,
    send: (sent) => send(cell, sent),
    reload: async () => {
      const now = await edit.read(record)
      return toSnapshot(now, readValues(fields, now))
    },
    onSaved: (saved, mergedWith, saves) => {
      setSaved(true)
      onSaved(cell, { saved, mergedWith, saves })
    },
  })
  const { values, changed, errors, isSaving, conflict } = form
  const isOpen = opening !== undefined

  const hasDraft = form.draft !== null
  const { restoreDraft } = form
  // oxlint-disable-next-line react/exhaustive-deps -- what was typed before a reload is restored once
  useEffect(() => (hasDraft ? restoreDraft() : undefined), [])

  const paths = column.fields ?? []
  const text = paths.flatMap((path) => (values[path] === '' ? [] : formatValue(fields[path], values[path]))).join(', ')
  const error = paths.map((path) => errors[path]).find((one) => one !== undefined)
  const mark = isOpen ? 'open' : isSaved ? 'saved' : isSaving ? 'saving' : error === undefined ? 'unsaved' : 'error'
  const message = mark === 'error' || mark === 'unsaved' ? `Not saved${error === undefined ? '' : `: ${error}`}` : undefined
  useLayoutEffect(() => onState(key, { text, mark, message }), [onState, key, text, mark, message])

  const leaving = useRef<Leave>('cell')
  const leave = (to: Leave, isKept: boolean) => {
    const own = anchor?.closest<HTMLElement>('[data-column]')
    if (to !== 'elsewhere') own?.focus({ preventScroll: true })
    if (to !== 'elsewhere' && to !== 'cell') own?.dispatchEvent(new KeyboardEvent('keydown', { key: to, bubbles: true, cancelable: true }))
    onClose(cell, isKept)
  }
  const commit = (to: Leave) => {
    if (changed.length === 0) return leave(to, false)
    leaving.current = to
    void form.save()
    // Someone who clicks elsewhere goes on; the error stays at the cell.
    if (to === 'elsewhere') leave(to, true)
  }
  useEffect(() => {
    if (isSaving && isOpen) leave(leaving.current, true)
    // oxlint-disable-next-line react/exhaustive-deps -- it is left once it is being sent
  }, [isSaving])

  return (
    <>
      {isOpen && anchor
        ? createPortal(
            <Popover
              opened
              position="bottom-start"
              offset={-anchor.offsetHeight}
              width="target"
              withinPortal
              withRoles={false}
              returnFocus={false}
              closeOnClickOutside={false}
              closeOnEscape={false}
              transitionProps={{ duration: 0 }}
              shadow="md"
            >
              <Popover.Target>
                <span className={classes.target} />
              </Popover.Target>
              <Popover.Dropdown role="dialog" aria-label={`${column.label} of ${cell.name}`} className={classes.inputs}>
                <CellInputs
                  cell={cell}
                  form={form}
                  opening={opening}
                  onCommit={commit}
                  onCancel={() => {
                    leave('cell', false)
                    onCancel(cell)
                  }}
                />
              </Popover.Dropdown>
            </Popover>,
            anchor,
          )
        : null}
      <UnsavedChangesGuard changed={isSaving || isSaved ? [] : changed} fields={fields} base={form.base} values={values} />
      {conflict ? (
        <Modal opened onClose={() => form.returnToForm({})} title={`${column.label} of ${cell.name}`} size={800}>
          <div className={classes.conflict}>
            <ConflictView conflict={conflict} form={form} fields={fields} />
          </div>
        </Modal>
      ) : null}
    </>
  )
}
