import { ActionIcon, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'

import { FieldInput } from '../../../../platform/web/form/FieldInput.tsx'
import type { FieldsByPath, FormField } from '../../../../platform/web/form/fields.ts'
import type { FieldValue } from '../../../../platform/web/form/values.ts'
import { PlainSelect } from '../../../../platform/web/kit/PlainSelect.tsx'
import { type BulkItem, createItem, type FieldChoice, findFieldChoices, getEmptyValue, type ListMode } from './bulk-fields.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './BulkDialog.module.css'

const MODES: readonly { readonly value: ListMode; readonly label: string }[] = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'set', label: 'Replace all' },
]

export const getFieldInputId = (key: number): string => `bulk-field-${key}`
export const getValueInputId = (key: number, path: string): string => `bulk-value-${key}-${path.replaceAll('.', '-')}`
export const formatUnknownField = (typed: string): string => `There is no field “${typed}”. Choose one from the list.`

/** A choice among several that are changed together, all of which can stay as they are. */
const withNoChange = (field: FormField): FormField =>
  field.kind === 'choice' ? { ...field, choices: [{ value: '', label: 'No change' }, ...field.choices] } : field

interface BulkFieldProps {
  readonly item: BulkItem
  readonly fields: FieldsByPath
  /** The choices that no other item has. */
  readonly choices: readonly FieldChoice[]
  readonly isList: (path: string) => boolean
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (change: Partial<BulkItem>) => void
  /** Undefined for the only item. */
  readonly onRemove: (() => void) | undefined
}

/** A field to change in many records, and its new value; several that belong together have their inputs side by side. */
export const BulkField = ({ item, fields, choices, isList, errors, onChange, onRemove }: BulkFieldProps) => {
  const { key, choice, values, mode } = item
  const toData = (shown: readonly FieldChoice[]) =>
    [...Map.groupBy(shown, ({ group }) => group)].map(([group, items]) => ({
      group,
      items: items.map(({ value, label }) => ({ value, label })),
    }))
  const setValue = (path: string, value: FieldValue | undefined) => {
    const { [path]: _before, ...others } = values
    onChange({ values: value === undefined ? others : { ...others, [path]: value }, problem: null })
  }
  const paths = choice?.paths ?? []
  const isSet = paths.length > 1
  const own = fields[paths[0] ?? '']
  const problemId = `bulk-problem-${key}`
  const error = item.problem ?? (choice === null ? null : (paths.map((path) => errors[path]).find(Boolean) ?? null))
  const message = (
    <p id={problemId} role="alert" className={`${textClasses.label} ${textClasses.required} ${layoutClasses.topMargin4} ${classes.error}`}>
      {error}
    </p>
  )
  return (
    <div
      role="group"
      aria-label={choice?.label ?? 'Field to change'}
      className={`${layoutClasses.grid} ${classes.fields}`}
      data-wide={isSet || own?.kind === 'own' || own?.span === 6 || undefined}
    >
      <div>
        <Select
          id={getFieldInputId(key)}
          label="Field"
          required
          searchable
          data-autofocus
          openOnFocus={false}
          allowDeselect={false}
          selectFirstOptionOnChange
          selectFirstOptionOnDropdownOpen
          placeholder="Type to find"
          nothingFoundMessage="Nothing found"
          maxDropdownHeight={320}
          data={toData(choices)}
          filter={({ search }) => toData(findFieldChoices(choices, search))}
          value={choice?.value ?? null}
          error={choice === null && error !== null}
          aria-describedby={error === null ? undefined : problemId}
          onChange={(next) => onChange(createItem(key, choices.find(({ value }) => value === next) ?? null, fields))}
          onSearchChange={(typed) => onChange(choice === null && typed !== '' ? { typed, problem: null } : { typed })}
          onBlur={({ currentTarget: { value } }) => {
            // The list has emptied its text by now; what is still shown was typed.
            if (choice === null && value.trim() !== '') onChange({ problem: formatUnknownField(value.trim()) })
          }}
          comboboxProps={{ withinPortal: true, shadow: 'md' }}
        />
        {choice === null ? message : null}
      </div>
      <div className={classes.value}>
        {choice === null ? null : (
          <div className={isSet ? `${layoutClasses.grid} ${classes.set}` : undefined}>
            {paths.map((path) => {
              const field = fields[path]
              if (!field) return null
              const id = getValueInputId(key, path)
              const hasList = isList(path)
              const empty = getEmptyValue(field, hasList)
              const shown = values[path] ?? empty
              return (
                <div key={path} className={layoutClasses.shrinkable}>
                  <div className={`${layoutClasses.spaced} ${layoutClasses.spaceBetween} ${layoutClasses.alignCenter}`}>
                    {field.kind === 'own' && field.isGroup ? (
                      <span className={`${textClasses.smallFont} ${textClasses.strong} ${classes.label}`}>{field.label}</span>
                    ) : (
                      <label htmlFor={id} className={`${textClasses.smallFont} ${textClasses.strong} ${classes.label}`}>
                        {isSet ? field.label : 'New value'}
                        {isSet ? null : (
                          <span aria-hidden className={textClasses.required}>
                            {' '}
                            *
                          </span>
                        )}
                      </label>
                    )}
                    {hasList ? (
                      <PlainSelect
                        className={classes.mode}
                        aria-label="What to do with it"
                        value={mode}
                        onChange={(event) => onChange({ mode: event.currentTarget.value as ListMode })}
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
                      id={id}
                      path={path}
                      field={isSet ? withNoChange(field) : field}
                      value={shown}
                      values={{ [path]: shown }}
                      required={!isSet}
                      error={item.problem ?? errors[path]}
                      describedBy={error === null ? undefined : problemId}
                      before={empty}
                      onChange={(next) => setValue(path, (isSet || hasList) && next === '' ? undefined : next)}
                      onBlur={() => undefined}
                      onBlock={(block) => onChange({ block })}
                    />
                  </div>
                </div>
              )
            })}
          </div>
        )}
        {choice === null ? null : message}
      </div>
      {onRemove ? (
        <ActionIcon className={classes.remove} aria-label={`Do not change ${choice?.label ?? 'this field'}`} onClick={onRemove}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      ) : null}
    </div>
  )
}
