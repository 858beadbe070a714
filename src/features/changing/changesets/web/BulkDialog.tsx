import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'

import { toIsoDay, DAY_MS } from '../../../../contract/dates.ts'
import { formatCount } from '../../../../contract/format.ts'
import type { BulkTarget } from '../../../../platform/web/bulk-window.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import { Dialog } from '../../../../platform/web/kit/Dialog.tsx'
import type { BulkChange } from '../contract.ts'
import { type BulkItem, createItem, type FieldGroup, findCommonErrors, isEmptyItem, listFieldChoices, toChanges } from './bulk-fields.ts'
import { BulkField, formatUnknownField, getFieldInputId, getValueInputId } from './BulkField.tsx'
import { BulkRows } from './BulkRows.tsx'
import { listChangingRows, useBulkPreview, useBulkSave } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

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

const focusInput = (id: string): void => document.getElementById(id)?.focus()

/** Changes fields of many records: the effect is shown live below them, and saved as one changeset. */
export const BulkDialog = ({ target, groups, isList, derivedValues, onClose }: BulkDialogProps) => {
  const { kind, ids, noun, field: firstField } = target
  const fields = useMemo(() => Object.assign({}, ...groups.map((group) => group.fields)) as Record<string, FormField>, [groups])
  const choices = useMemo(() => listFieldChoices(groups), [groups])
  const [items, setItems] = useState<readonly BulkItem[]>(() => [
    createItem(0, choices.find(({ value }) => value === firstField) ?? null, fields),
  ])
  const [day, setDay] = useState<string | null>(null)
  const [tomorrow] = useState(() => toIsoDay(new Date(Date.now() + DAY_MS), configuration.timeZone))
  const changes = JSON.stringify(toChanges(items, isList, derivedValues))
  const bulk = useMemo((): BulkChange | null => {
    const wanted = JSON.parse(changes) as BulkChange['changes'] | null
    return wanted && { kind, ids: [...ids], changes: wanted }
  }, [kind, ids, changes])
  const [debounced] = useDebouncedValue(bulk, PREVIEW_DELAY_MS)
  const query = useBulkPreview(bulk === null ? null : debounced)
  const preview = bulk === null ? null : query.data
  const isFresh = preview !== undefined && debounced === bulk && !query.isPlaceholderData && !query.isFetching
  const saving = useBulkSave(noun, onClose)
  const rows = preview ? listChangingRows(preview) : []
  const used = (paths: readonly string[]) => (item: BulkItem) => item.choice?.paths.some((path) => paths.includes(path)) ?? false
  const errors = findCommonErrors(preview)
  const [unplaced] = Object.entries(errors).filter(([path]) => !items.some(used([path])))
  const errorsOf = (item: BulkItem, at: number) => {
    const first = item.choice?.paths[0]
    return at === 0 && first !== undefined && unplaced ? { [first]: unplaced[1], ...errors } : errors
  }
  const change = (key: number, changed: Partial<BulkItem>) => {
    saving.reset()
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changed } : item)))
  }
  const remove = (key: number) => {
    saving.reset()
    setItems((before) => before.filter((item) => item.key !== key))
  }
  const add = () => {
    const key = Math.max(...items.map((item) => item.key)) + 1
    setItems([...items, createItem(key, null, fields)])
    requestAnimationFrame(() => focusInput(getFieldInputId(key)))
  }
  /** Shows what is missing in an item, and goes to its input. */
  const complain = ({ key, choice, problem }: BulkItem, text: string) => {
    change(key, { problem: problem ?? text })
    const [path] = choice?.paths ?? []
    focusInput(path === undefined ? getFieldInputId(key) : getValueInputId(key, path))
  }
  const save = () => {
    // A field that was only added is left out.
    const wrong = items.find(
      (item) => item.block !== null || (isEmptyItem(item) && (item.choice !== null || item.typed !== '' || bulk === null)),
    )
    const [first] = items
    if (wrong?.choice === null)
      return complain(wrong, wrong.typed.trim() === '' ? 'Choose a field' : formatUnknownField(wrong.typed.trim()))
    if (wrong) return complain(wrong, wrong.block ?? 'Choose the new value')
    if (isFresh && rows.length === 0 && first) return complain(first, 'Nothing would change')
    if (day === '') return focusInput('bulk-day')
    if (bulk !== null) saving.mutate({ bulk, rows: isFresh ? rows : null, day })
  }
  const verb = day === null ? 'Change' : 'Plan'
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
      {items.map((item, at) => (
        <BulkField
          key={item.key}
          item={item}
          fields={fields}
          choices={choices.filter(({ paths }) => !items.some((other) => other !== item && used(paths)(other)))}
          isList={isList}
          errors={errorsOf(item, at)}
          onChange={(changed) => change(item.key, changed)}
          onRemove={items.length > 1 ? () => remove(item.key) : undefined}
        />
      ))}
      <div className={layoutClasses.spreadRow}>
        <Button
          size="compact-md"
          fz="0.875rem"
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={add}
        >
          Add another field
        </Button>
        <div className={`${layoutClasses.toolbar} ${layoutClasses.alignEnd}`}>
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
              type="date"
              label="Effective date"
              required
              min={tomorrow}
              max="2199-12-31"
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
        </div>
      </div>
      {preview ? <BulkRows preview={preview} noun={noun} fields={fields} isStale={!isFresh} /> : null}
    </Dialog>
  )
}
