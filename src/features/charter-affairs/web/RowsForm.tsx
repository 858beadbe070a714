import { Button, VisuallyHidden } from '@mantine/core'
import { memo, useCallback, useEffect, useRef, useState } from 'react'

import type { EditForm } from '../../../platform/web/form/useEditForm.ts'
import { goToField } from '../../../platform/web/form/useEditForm.ts'
import { focusPage } from '../../../platform/web/navigation.ts'
import { showDone } from '../../../platform/web/notice.ts'
import type { CharterWithAffair } from '../contract.ts'
import { AffairFields, type FieldsOfForm, isSameTo } from './AffairFields.tsx'
import { affairSnapshot, nameOfRow, NEW, type Part, PARTS } from './affairValues.ts'
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
      <li className={classes.row} aria-label={name}>
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

/** A row that somebody else deleted while it was being typed in. */
const GoneRow = ({ part, row, form, ...fields }: FieldsOfForm & { part: Part; row: string; form: EditForm }) => {
  const path = `${part}.${row}`
  const name = nameOfRow(part, row, fields.base)
  const names = NAMES[part]
  const discard = () => {
    form.adopt({ values: {}, parts: {}, version: null, updatedAt: '', updatedBy: null }, [path])
    requestAnimationFrame(focusPage)
  }
  const addAgain = () => {
    for (const name of names) form.set(`${part}.${NEW}.${name}`, fields.values[`${path}.${name}`] ?? '')
    discard()
    goToField(`${part}.${NEW}.${names[0] ?? ''}`)
  }
  return (
    <li className={classes.row} aria-label={name}>
      <div className={classes.rowHead}>
        <h3 className={classes.rowName}>{name}</h3>
        <span className={classes.gone}>Somebody deleted this while you were editing.</span>
        <Button size="compact-md" variant="default" onClick={addAgain}>
          Add it again
        </Button>
        <Button size="compact-md" variant="default" onClick={discard}>
          Discard
        </Button>
      </div>
      <AffairFields {...fields} paths={pathsOf(part, row)} />
    </li>
  )
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
      else showDone({ text: `Nothing was changed in ${nameOfRow(part, row, latest.current.base)}.` })
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
  const rows = section.rows.filter(({ _id }) => `${part}.${_id}` in form.parts || isAnyOf(pathsOf(part, _id), fields.changed))
  return (
    <>
      {isFiltering(filter) ? null : <NewRow {...fields} part={part} paths={pathsOf(part, NEW)} onAdd={add} />}
      <ul className={classes.rows} aria-label={section.title}>
        {rows.map(({ _id }) =>
          `${part}.${_id}` in form.parts ? (
            <Row key={_id} {...fields} part={part} row={_id} paths={pathsOf(part, _id)} onUpdate={update} onDelete={setDeleting} />
          ) : (
            <GoneRow key={_id} {...fields} part={part} row={_id} form={form} />
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
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  )
}
