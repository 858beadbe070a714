import { NativeSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'

import { toIsoDay, DAY_MS } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import type { BulkTarget } from '../../../../platform/web/bulk-window.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { FieldInput } from '../../../../platform/web/form/FieldInput.tsx'
import { type FormField, toFormValue, type FieldsByPath } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import { PlainSelect } from '../../../../platform/web/kit/PlainSelect.tsx'
import type { BulkChange, BulkPreview } from '../contract.ts'
import { isLeftOut } from '../rules.ts'
import { BulkRows } from './BulkRows.tsx'
import { useBulkPreview, useBulkSave } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './BulkDialog.module.css'

/** Fields to choose from, under a heading if the kind of record has several forms. */
export interface FieldGroup {
  readonly title: string
  readonly fields: FieldsByPath
}

interface BulkDialogProps {
  target: BulkTarget
  groups: readonly FieldGroup[]
  /** Whether a field is a list, to which entries are added or removed, one at a time. */
  isList: (path: string) => boolean
  /** Other values to set with a field: the state of a selected region. */
  derivedValues?: (path: string, value: FieldValue) => Values
  onClose: () => void
}

const PREVIEW_DELAY_MS = 300
const VALUE_ID = 'bulk-value'
type Mode = 'set' | 'add' | 'remove'
const MODES: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'set', label: 'Replace all' },
]

/** The value of a field before anything is chosen. */
const getEmptyValue = (field: FormField, isList: boolean): FieldValue =>
  field.kind === 'own' && isList
    ? []
    : field.kind === 'own' && field.isGroup
      ? toFormValue(field, null)
      : field.kind === 'check'
        ? false
        : ''

/** The value in the format of the call; for a list, the entries to add, remove or set. */
const toChange = (value: FieldValue, mode: Mode, isList: boolean): unknown => {
  if (!isList) return value
  const entries = Array.isArray(value) ? value : value === '' ? [] : [value]
  return mode === 'set' ? entries : { [mode]: entries }
}

/** The error that all records have in common, which is shown next to the value. */
const findCommonError = (preview: BulkPreview | null | undefined): string | null => {
  const rows = preview?.rows.filter(({ state }) => state !== 'unchanged') ?? []
  const [first] = rows.flatMap(({ errors }) => errors)
  return first && rows.every(({ errors }) => errors.some(({ message }) => message === first.message)) ? first.message : null
}

const focusFirst = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()

/** Changes a field of many records: the effect is shown live below it, and saved as one changeset. */
export const BulkDialog = ({ target, groups, isList, derivedValues, onClose }: BulkDialogProps) => {
  const { kind, ids, noun, field: firstField, onDone } = target
  const fields = useMemo(() => Object.assign({}, ...groups.map((group) => group.fields)) as Record<string, FormField>, [groups])
  const [path, setPath] = useState(firstField ?? '')
  const field = fields[path]
  const hasList = isList(path)
  const [mode, setMode] = useState<Mode>(field?.kind === 'own' ? 'add' : 'set')
  // Undefined until something is chosen or typed, because an empty value is also a value.
  const [value, setValue] = useState<FieldValue>()
  const [block, setBlock] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const [tomorrow] = useState(() => toIsoDay(new Date(Date.now() + DAY_MS), configuration.timeZone))
  const [missing, setMissing] = useState<string | null>(null)
  const bulk = useMemo(
    (): BulkChange | null =>
      path === '' || value === undefined
        ? null
        : { kind, ids: [...ids], changes: { [path]: toChange(value, mode, hasList), ...derivedValues?.(path, value) } },
    [kind, ids, path, value, mode, hasList, derivedValues],
  )
  const [debounced] = useDebouncedValue(bulk, PREVIEW_DELAY_MS)
  const query = useBulkPreview(bulk === null ? null : debounced)
  const preview = bulk === null ? null : query.data
  const isFresh = preview !== undefined && debounced === bulk && !query.isPlaceholderData && !query.isFetching
  const saving = useBulkSave(noun, () => {
    onDone?.()
    onClose()
  })
  const rows = preview?.rows.filter((row) => row.state === 'change' && !isLeftOut(row)) ?? []
  const error = findCommonError(preview)
  const choosePath = (next: string) => {
    saving.reset()
    setPath(next)
    setMode(fields[next]?.kind === 'own' ? 'add' : 'set')
    setValue(undefined)
    setBlock(null)
    setMissing(null)
  }
  const save = () => {
    if (field === undefined) return focusFirst('#bulk-field')
    if (bulk === null || rows.length === 0) {
      setMissing(bulk === null ? 'Choose the new value' : 'Nothing would change')
      return focusFirst(`#${VALUE_ID}`)
    }
    if (block !== null) return setMissing(block)
    if (day === '') return focusFirst('#bulk-day')
    if (isFresh) saving.mutate({ bulk, rows, day })
  }
  const verb = day === null ? 'Change' : 'Plan'
  const shown = value ?? (field ? getEmptyValue(field, hasList) : '')
  const isWide = field?.kind === 'own' || field?.span === 6
  const message = missing ?? error
  return (
    <Dialog
      title={`Change ${formatCount(ids.length, noun)}`}
      confirmLabel={
        preview ? `${verb} ${day === null ? formatCount(rows.length, noun) : formatCount(rows.length, 'change')}` : `${verb} ${noun[1]}`
      }
      size={800}
      note={day === null ? 'You can undo this under Activity.' : 'You can cancel this until its day.'}
      isBusy={saving.isPending}
      error={saving.error ?? query.error}
      onConfirm={save}
      onClose={onClose}
    >
      <div className={`${layoutClasses.grid} ${classes.fields}`} data-wide={isWide || undefined}>
        <Select
          id="bulk-field"
          label="Field"
          required
          searchable
          data-autofocus
          openOnFocus={false}
          allowDeselect={false}
          placeholder="Type to find"
          nothingFoundMessage="Nothing found"
          maxDropdownHeight={320}
          data={groups.map((group) => ({
            group: group.title,
            items: Object.entries(group.fields).map(([one, { label, longLabel = label }]) => ({ value: one, label: longLabel })),
          }))}
          value={path || null}
          onChange={(next) => choosePath(next ?? '')}
          comboboxProps={{ withinPortal: true, shadow: 'md' }}
        />
        <div className={classes.value}>
          {field ? (
            <>
              <div className={`${layoutClasses.spaced} ${layoutClasses.spaceBetween} ${classes.valueHead}`}>
                {field.kind === 'own' && field.isGroup ? (
                  <span className={`${textClasses.smallFont} ${textClasses.strong} ${classes.label}`}>{field.label}</span>
                ) : (
                  <label htmlFor={VALUE_ID} className={`${textClasses.smallFont} ${textClasses.strong} ${classes.label}`}>
                    New value
                    <span aria-hidden className={textClasses.required}>
                      {' '}
                      *
                    </span>
                  </label>
                )}
                {hasList ? (
                  <PlainSelect
                    className={classes.mode}
                    aria-label="What to do with it"
                    value={mode}
                    onChange={(event) => setMode(event.currentTarget.value as Mode)}
                  >
                    {MODES.map(({ value: one, label }) => (
                      <option key={one} value={one}>
                        {label}
                      </option>
                    ))}
                  </PlainSelect>
                ) : null}
              </div>
              <div
                data-field={path}
                role={field.kind === 'own' ? 'group' : undefined}
                aria-label={field.kind === 'own' ? field.label : undefined}
              >
                <FieldInput
                  key={path}
                  id={VALUE_ID}
                  path={path}
                  field={field}
                  value={shown}
                  values={{ [path]: shown }}
                  required
                  error={message ?? undefined}
                  describedBy={message ? 'bulk-error' : undefined}
                  before={getEmptyValue(field, hasList)}
                  onChange={(next) => {
                    saving.reset()
                    setMissing(null)
                    setValue(next)
                  }}
                  onBlur={() => undefined}
                  onBlock={setBlock}
                />
              </div>
            </>
          ) : (
            <TextInput label="New value" disabled placeholder="Choose a field first" />
          )}
          <p
            id="bulk-error"
            role="alert"
            className={`${textClasses.label} ${textClasses.required} ${layoutClasses.topMargin4} ${classes.error}`}
          >
            {message}
          </p>
        </div>
        <div>
          <NativeSelect
            label="From"
            data={[
              { value: 'now', label: 'Now' },
              { value: 'later', label: 'A later day' },
            ]}
            value={day === null ? 'now' : 'later'}
            onChange={(event) => setDay(event.currentTarget.value === 'now' ? null : '')}
          />
          {day === null ? null : (
            <TextInput
              id="bulk-day"
              className={layoutClasses.topMargin8}
              type="date"
              aria-label="Effective date"
              required
              min={tomorrow}
              max="2199-12-31"
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
        </div>
      </div>
      {preview && field ? <BulkRows preview={preview} noun={noun} path={path} field={field} isStale={!isFresh} /> : null}
    </Dialog>
  )
}
