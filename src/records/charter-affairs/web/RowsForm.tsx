import { Button, VisuallyHidden } from '@mantine/core'
import { memo, useCallback, useEffect, useRef, useState } from 'react'

import { NEW_ROW } from '../../../contract/records.ts'
import { send } from '../../../platform/web/client.ts'
import { showError } from '../../../platform/web/error-banner.ts'
import { isSignedOut, errorMessage } from '../../../platform/web/failures.ts'
import { focusField } from '../../../platform/web/form/focus-field.ts'
import type { RecordSnapshot } from '../../../platform/web/form/record-parts.ts'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import type { FormState } from '../../../platform/web/form/use-edit-form.ts'
import { queryClient } from '../../../platform/web/queries.ts'
import { EraseButton } from '../../../platform/web/record-features.tsx'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import { type CharterWithAffair, readCharterAffair } from '../contract.ts'
import { createRow, toAffairSnapshot, getRowName, type AffairList, AFFAIR_LISTS } from './affair-fields.ts'
import { AffairFields, type AffairFormState, areFieldsEqual } from './AffairFields.tsx'
import { DeleteRow } from './DeleteRow.tsx'
import { type FieldFilter, isFiltering, type RowSection } from './sections.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './AffairForm.module.css'

interface RowsFormProps extends AffairFormState {
  charter: CharterWithAffair
  form: FormState
  section: RowSection
  filter: FieldFilter
  /** Called with the response of a call outside the form's save. */
  onAnswer: (answer: CharterWithAffair) => void
}

interface RowProps extends AffairFormState {
  part: AffairList
  row: string
  paths: readonly string[]
  onUpdate: (row: string, isChanged: boolean) => void
  onDelete: (row: string) => void
  onErased: (row: string) => Promise<void>
}

const ADD_LABELS: Readonly<Record<AffairList, string>> = { authorizer_board_member: 'Add New Member', center_district: 'Add New District' }

const FIELD_NAMES: Readonly<Record<AffairList, readonly string[]>> = {
  authorizer_board_member: Object.keys(AFFAIR_LISTS.authorizer_board_member.labels),
  center_district: Object.keys(AFFAIR_LISTS.center_district.labels),
}
const listPaths = (part: AffairList, row: string): string[] => FIELD_NAMES[part].map((name) => `${part}.${row}.${name}`)

/** The state of a deleted part. */
const EMPTY_SNAPSHOT: RecordSnapshot = { values: {}, parts: {}, version: null, updatedAt: '', updatedBy: null }

const hasAny = (paths: readonly string[], changed: ReadonlySet<string>): boolean => paths.some((path) => changed.has(path))

interface NewRowProps extends AffairFormState {
  part: AffairList
  paths: readonly string[]
  onAdd: (isTyped: boolean) => void
}

/** The inputs of a new row. */
const NewRow = memo(
  ({ part, paths, onAdd, ...fields }: NewRowProps) => (
    <div className={`${layoutClasses.framed} ${layoutClasses.padding16} ${classes.row}`} role="group" aria-label={ADD_LABELS[part]}>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.bottomMargin12} ${classes.rowHead}`}>
        <h3 className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.strong} ${classes.rowName}`}>{ADD_LABELS[part]}</h3>
        {fields.contested ? null : (
          <Button size="compact-md" onClick={() => onAdd(hasAny(paths, fields.changed))}>
            Add
            <VisuallyHidden component="span"> {AFFAIR_LISTS[part].one}</VisuallyHidden>
          </Button>
        )}
      </div>
      <AffairFields {...fields} paths={paths} />
    </div>
  ),
  (before, now) => before.onAdd === now.onAdd && areFieldsEqual(now.paths, before, now),
)

/** A row of a list, saved and deleted separately. Plain buttons, because there may be hundreds of rows. */
const Row = memo(
  ({ part, row, paths, onUpdate, onDelete, onErased, ...fields }: RowProps) => {
    const name = getRowName(part, row, fields.base)
    const isChanged = hasAny(paths, fields.changed)
    return (
      <li className={`${layoutClasses.framed} ${layoutClasses.padding16} ${classes.row}`} aria-label={name} data-row={row}>
        <div className={`${layoutClasses.toolbar} ${layoutClasses.bottomMargin12} ${classes.rowHead}`}>
          <h3 className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.strong} ${classes.rowName}`}>{name}</h3>
          {/* A suggestion is sent as a whole. */}
          {fields.contested ? null : (
            <>
              <button
                type="button"
                className={`${layoutClasses.outlined} ${layoutClasses.hoverable} ${textClasses.strong} ${textClasses.textColor} ${classes.rowButton}`}
                data-primary={isChanged || undefined}
                aria-label={`Update ${name}`}
                onClick={() => onUpdate(row, isChanged)}
              >
                Update
              </button>
              <button
                type="button"
                className={`${layoutClasses.outlined} ${layoutClasses.hoverable} ${textClasses.strong} ${textClasses.textColor} ${classes.rowButton}`}
                data-taking
                aria-label={`Delete ${name}`}
                onClick={() => onDelete(row)}
              >
                Delete
              </button>
            </>
          )}
        </div>
        <AffairFields {...fields} paths={paths} />
        {part === 'authorizer_board_member' && !fields.contested ? (
          <EraseButton record={{ kind: part, _id: row, name }} onErased={() => onErased(row)} />
        ) : null}
      </li>
    )
  },
  (before, now) => before.row === now.row && before.onUpdate === now.onUpdate && areFieldsEqual(now.paths, before, now),
)

interface DeletedRowProps extends AffairFormState {
  part: AffairList
  row: string
  onAddAgain: (fields: Record<string, string>) => Promise<void>
  onDiscard: () => void
}

/** A row that someone else deleted while it was being edited. */
const DeletedRow = ({ part, row, onAddAgain, onDiscard, ...fields }: DeletedRowProps) => {
  const name = getRowName(part, row, fields.base)
  const [isAdding, setAdding] = useState(false)
  const addAgain = async () => {
    setAdding(true)
    const typed = FIELD_NAMES[part].map((name) => [name, fields.values[`${part}.${row}.${name}`]] as const)
    await onAddAgain(Object.fromEntries(typed.flatMap(([name, text]) => (typeof text === 'string' && text !== '' ? [[name, text]] : []))))
    setAdding(false)
  }
  return (
    <li className={`${layoutClasses.framed} ${layoutClasses.padding16} ${classes.row}`} aria-label={name} data-row={row}>
      <div className={`${layoutClasses.toolbar} ${layoutClasses.bottomMargin12} ${classes.rowHead}`}>
        <h3 className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.strong} ${classes.rowName}`}>{name}</h3>
        <span className={`${textClasses.bad} ${textClasses.strong}`}>Someone deleted this while you were editing.</span>
        <Button size="compact-md" variant="default" loading={isAdding} onClick={() => void addAgain()}>
          Add Again
        </Button>
        <Button size="compact-md" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </div>
      <AffairFields {...fields} paths={listPaths(part, row)} />
    </li>
  )
}

/** Returns a function that moves focus to the next row, or to the heading of the list. Call it before the row is removed. */
const focusNextRow = (row: string): (() => void) => {
  const item = document.querySelector(`[data-row="${row}"]`)
  const near = item?.nextElementSibling ?? item?.previousElementSibling
  const heading = item?.closest('section')?.querySelector<HTMLElement>('h2')
  return () => setTimeout(() => (near?.querySelector<HTMLElement>('button') ?? heading)?.focus(), 50)
}

/** The board members or districts: a row to add one, and the existing ones with Update and Delete. */
export const RowsForm = ({ charter, form, section, filter, onAnswer, ...fields }: RowsFormProps) => {
  const part = section.name
  const [deleting, setDeleting] = useState<string | null>(null)
  // Memoized rows keep old callbacks, which have to use the current form.
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  const update = useCallback(
    (row: string, isChanged: boolean) => {
      if (isChanged) void latest.current.save(`${part}.${row}`)
      else showSuccess({ text: `There are no changes to save in ${getRowName(part, row, latest.current.base)}.` })
    },
    [part],
  )
  const add = useCallback(
    (isTyped: boolean) => {
      if (isTyped) void latest.current.save(`${part}.${NEW_ROW}`)
      else focusField(`${part}.${NEW_ROW}.${FIELD_NAMES[part][0] ?? ''}`)
    },
    [part],
  )
  const addAgain = async (row: string, typed: Record<string, string>) => {
    try {
      const saves: string[] = []
      const answer = await createRow(charter._id, part, typed, saves)
      const focusNext = focusNextRow(row)
      form.updateParts(toAffairSnapshot(answer), [`${part}.${row}`])
      onAnswer(answer)
      void queryClient.invalidateQueries()
      focusNext()
      showSaved({ text: `The ${AFFAIR_LISTS[part].one} was added.`, saves })
    } catch (error) {
      if (!isSignedOut(error)) showError(errorMessage(error))
    }
  }
  const showErased = useCallback(
    async (row: string) => {
      const answer = await send(readCharterAffair, { params: { id: charter._id } })
      latest.current.updateParts(toAffairSnapshot(answer), [`${part}.${row}`])
      onAnswer(answer)
    },
    [charter._id, onAnswer, part],
  )
  const rows = section.rows.filter(({ _id }) => `${part}.${_id}` in form.parts || hasAny(listPaths(part, _id), fields.changed))
  return (
    <>
      {isFiltering(filter) && !hasAny(listPaths(part, NEW_ROW), fields.changed) ? null : (
        <NewRow {...fields} part={part} paths={listPaths(part, NEW_ROW)} onAdd={add} />
      )}
      <ul className={classes.rows} aria-label={section.title}>
        {rows.map(({ _id }) =>
          `${part}.${_id}` in form.parts ? (
            <Row
              key={_id}
              {...fields}
              part={part}
              row={_id}
              paths={listPaths(part, _id)}
              onUpdate={update}
              onDelete={setDeleting}
              onErased={showErased}
            />
          ) : (
            <DeletedRow
              key={_id}
              {...fields}
              part={part}
              row={_id}
              onAddAgain={(typed) => addAgain(_id, typed)}
              onDiscard={() => {
                const focusNext = focusNextRow(_id)
                form.updateParts(EMPTY_SNAPSHOT, [`${part}.${_id}`])
                focusNext()
              }}
            />
          ),
        )}
      </ul>
      {deleting === null ? null : (
        <DeleteRow
          charter={charter}
          part={part}
          row={deleting}
          name={getRowName(part, deleting, fields.base)}
          isTypedIn={hasAny(listPaths(part, deleting), fields.changed)}
          version={form.parts[`${part}.${deleting}`]}
          onAnswer={(answer) => {
            form.updateParts(toAffairSnapshot(answer), [`${part}.${deleting}`])
            onAnswer(answer)
          }}
          onDeleted={focusNextRow(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}
