import { Button, VisuallyHidden } from '@mantine/core'
import { memo, useCallback, useEffect, useRef, useState } from 'react'

import { showError } from '../../../../platform/web/banner.ts'
import { isSignedOut, sayFailure } from '../../../../platform/web/failures.ts'
import { goToField } from '../../../../platform/web/form/going.ts'
import type { EditForm, Snapshot } from '../../../../platform/web/form/useEditForm.ts'
import { showDone } from '../../../../platform/web/notice.ts'
import { queryClient } from '../../../../platform/web/queries.ts'
import type { CharterWithAffair } from '../contract.ts'
import { AffairFields, type FieldsOfForm, isSameTo } from './AffairFields.tsx'
import { addRow, affairSnapshot, nameOfRow, NEW, type Part, PARTS } from './affairValues.ts'
import { DeleteRow } from './DeleteRow.tsx'
import { type FieldFilter, isFiltering, type RowSection } from './sections.ts'

import classes from './AffairForm.module.css'

interface RowsFormProps extends FieldsOfForm {
  charter: CharterWithAffair
  form: EditForm
  section: RowSection
  filter: FieldFilter
  /** Takes up what a call answered that the form did not send itself. */
  remember: (answer: CharterWithAffair) => void
}

interface RowProps extends FieldsOfForm {
  part: Part
  row: string
  paths: readonly string[]
  onUpdate: (row: string, isChanged: boolean) => void
  onDelete: (row: string) => void
}

const ADD: Readonly<Record<Part, string>> = { authorizer_board_member: 'Add New Member', center_district: 'Add New District' }

const NAMES: Readonly<Record<Part, readonly string[]>> = {
  authorizer_board_member: Object.keys(PARTS.authorizer_board_member.labels),
  center_district: Object.keys(PARTS.center_district.labels),
}
const pathsOf = (part: Part, row: string): string[] => NAMES[part].map((name) => `${part}.${row}.${name}`)

/** A part that is not there any more. */
const NOTHING: Snapshot = { values: {}, parts: {}, version: null, updatedAt: '', updatedBy: null }

const isAnyOf = (paths: readonly string[], changed: ReadonlySet<string>): boolean => paths.some((path) => changed.has(path))

interface NewRowProps extends FieldsOfForm {
  part: Part
  paths: readonly string[]
  onAdd: (isTyped: boolean) => void
}

/** The row a list grows by. */
const NewRow = memo(
  ({ part, paths, onAdd, ...fields }: NewRowProps) => (
    <div className={classes.row} role="group" aria-label={ADD[part]}>
      <div className={classes.rowHead}>
        <h3 className={classes.rowName}>{ADD[part]}</h3>
        <Button size="compact-md" onClick={() => onAdd(isAnyOf(paths, fields.changed))}>
          Add
          <VisuallyHidden component="span"> {PARTS[part].one}</VisuallyHidden>
        </Button>
      </div>
      <AffairFields {...fields} paths={paths} />
    </div>
  ),
  (before, now) => before.onAdd === now.onAdd && isSameTo(now.paths, before, now),
)

/** A row of a list, saved and deleted alone. Its buttons are plain ones: there are two for each of a hundred rows. */
const Row = memo(
  ({ part, row, paths, onUpdate, onDelete, ...fields }: RowProps) => {
    const name = nameOfRow(part, row, fields.base)
    const isChanged = isAnyOf(paths, fields.changed)
    return (
      <li className={classes.row} aria-label={name} data-row={row}>
        <div className={classes.rowHead}>
          <h3 className={classes.rowName}>{name}</h3>
          <button
            type="button"
            className={classes.rowButton}
            data-primary={isChanged || undefined}
            aria-label={`Update ${name}`}
            onClick={() => onUpdate(row, isChanged)}
          >
            Update
          </button>
          <button type="button" className={classes.rowButton} data-taking aria-label={`Delete ${name}`} onClick={() => onDelete(row)}>
            Delete
          </button>
        </div>
        <AffairFields {...fields} paths={paths} />
      </li>
    )
  },
  (before, now) => before.row === now.row && before.onUpdate === now.onUpdate && isSameTo(now.paths, before, now),
)

interface GoneRowProps extends FieldsOfForm {
  part: Part
  row: string
  onAddAgain: (fields: Record<string, string>) => Promise<void>
  onDiscard: () => void
}

/** A row that somebody else deleted while it was being typed in. */
const GoneRow = ({ part, row, onAddAgain, onDiscard, ...fields }: GoneRowProps) => {
  const name = nameOfRow(part, row, fields.base)
  const [isAdding, setAdding] = useState(false)
  const addAgain = async () => {
    setAdding(true)
    const typed = NAMES[part].map((name) => [name, fields.values[`${part}.${row}.${name}`]] as const)
    await onAddAgain(Object.fromEntries(typed.flatMap(([name, text]) => (typeof text === 'string' && text !== '' ? [[name, text]] : []))))
    setAdding(false)
  }
  return (
    <li className={classes.row} aria-label={name} data-row={row}>
      <div className={classes.rowHead}>
        <h3 className={classes.rowName}>{name}</h3>
        <span className={classes.gone}>Someone deleted this while you were editing.</span>
        <Button size="compact-md" variant="default" loading={isAdding} onClick={() => void addAgain()}>
          Add Again
        </Button>
        <Button size="compact-md" variant="default" onClick={onDiscard}>
          Discard
        </Button>
      </div>
      <AffairFields {...fields} paths={pathsOf(part, row)} />
    </li>
  )
}

/** Takes the keyboard from a row that goes to the one beside it, or to the heading of its list. Call it while the row is still there. */
const leaveRow = (row: string): (() => void) => {
  const item = document.querySelector(`[data-row="${row}"]`)
  const near = item?.nextElementSibling ?? item?.previousElementSibling
  const heading = item?.closest('section')?.querySelector<HTMLElement>('h2')
  return () => setTimeout(() => (near?.querySelector<HTMLElement>('button') ?? heading)?.focus(), 50)
}

/** The board members or the districts: a row to add one, and each that is there with Update and Delete (section 2). */
export const RowsForm = ({ charter, form, section, filter, remember, ...fields }: RowsFormProps) => {
  const part = section.name
  const [deleting, setDeleting] = useState<string | null>(null)
  // Rows that stay as they are keep what they were drawn with: what they call has to be the form of now.
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  const update = useCallback(
    (row: string, isChanged: boolean) => {
      if (isChanged) void latest.current.save(`${part}.${row}`)
      else showDone({ text: `There are no changes to save in ${nameOfRow(part, row, latest.current.base)}.` })
    },
    [part],
  )
  const add = useCallback(
    (isTyped: boolean) => {
      if (isTyped) void latest.current.save(`${part}.${NEW}`)
      else goToField(`${part}.${NEW}.${NAMES[part][0] ?? ''}`)
    },
    [part],
  )
  const addAgain = async (row: string, typed: Record<string, string>) => {
    try {
      const answer = await addRow(charter._id, part, typed)
      const goOn = leaveRow(row)
      form.adopt(affairSnapshot(answer), [`${part}.${row}`])
      remember(answer)
      void queryClient.invalidateQueries()
      goOn()
    } catch (error) {
      if (!isSignedOut(error)) showError(sayFailure(error))
    }
  }
  const rows = section.rows.filter(({ _id }) => `${part}.${_id}` in form.parts || isAnyOf(pathsOf(part, _id), fields.changed))
  return (
    <>
      {isFiltering(filter) && !isAnyOf(pathsOf(part, NEW), fields.changed) ? null : (
        <NewRow {...fields} part={part} paths={pathsOf(part, NEW)} onAdd={add} />
      )}
      <ul className={classes.rows} aria-label={section.title}>
        {rows.map(({ _id }) =>
          `${part}.${_id}` in form.parts ? (
            <Row key={_id} {...fields} part={part} row={_id} paths={pathsOf(part, _id)} onUpdate={update} onDelete={setDeleting} />
          ) : (
            <GoneRow
              key={_id}
              {...fields}
              part={part}
              row={_id}
              onAddAgain={(typed) => addAgain(_id, typed)}
              onDiscard={() => {
                const goOn = leaveRow(_id)
                form.adopt(NOTHING, [`${part}.${_id}`])
                goOn()
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
          name={nameOfRow(part, deleting, fields.base)}
          isTypedIn={isAnyOf(pathsOf(part, deleting), fields.changed)}
          version={form.parts[`${part}.${deleting}`]}
          onAnswer={(answer) => {
            form.adopt(affairSnapshot(answer), [`${part}.${deleting}`])
            remember(answer)
          }}
          onDeleted={leaveRow(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}
