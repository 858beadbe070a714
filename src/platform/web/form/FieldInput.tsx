import { Checkbox, NativeSelect, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'

import { LabelText } from '../kit/LabelText.tsx'
import type { FormField } from './fields.ts'
import { type FieldValue, type Values, toText } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './Field.module.css'

interface FieldInputProps {
  readonly id: string
  readonly path: string
  readonly field: FormField
  readonly value: FieldValue
  readonly values: Values
  readonly required: boolean
  readonly error: string | undefined
  readonly describedBy: string | undefined
  readonly onChange: (value: FieldValue) => void
  readonly onBlur: () => void
  readonly before: FieldValue
  readonly onBlock: (reason: string | null) => void
}

/** The most matches of a long list that are shown while typing. */
const MAX_HITS = 50

const Line = ({ field, value, onChange, onBlur, ...rest }: InputOf<'line'>) => {
  const [hasStripped, setStripped] = useState(false)
  const [isTyping, setTyping] = useState(false)
  const note = hasStripped
    ? (field.filter?.message ?? null)
    : isTyping && !rest.error
      ? (field.validateWhileTyping?.(toText(value)) ?? null)
      : null
  const change = (typed: string) => {
    const allowedText = !field.filter || field.filter.keeps?.(typed) ? typed : typed.replace(field.filter.disallowed, '')
    setStripped(allowedText !== typed)
    setTyping(true)
    onChange(allowedText)
  }
  return (
    <>
      <TextInput
        {...rest}
        value={toText(value)}
        placeholder={field.placeholder}
        inputMode={field.keyboard}
        autoComplete="off"
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          setStripped(false)
          setTyping(false)
          onBlur()
        }}
      />
      <span aria-live="polite" className={note === null ? undefined : classes.inputNote}>
        {note}
      </span>
    </>
  )
}

type InputOf<Kind extends FormField['kind']> = {
  field: Extract<FormField, { kind: Kind }>
  value: FieldValue
  onChange: (value: FieldValue) => void
} & Readonly<{
  id: string
  name: string
  required: boolean
  disabled: boolean
  error: boolean
  'aria-describedby': string | undefined
  onBlur: () => void
}>

/** The control of one field, without label, hint and error. */
export const FieldInput = (props: FieldInputProps) => {
  const { id, path, field, value, values, required, error, describedBy, onChange, onBlur } = props
  const disabled = field.isDisabled?.(values) ?? false
  const common = { id, name: path, required, disabled, error: error !== undefined, 'aria-describedby': describedBy, onBlur }
  const changeText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  switch (field.kind) {
    case 'line':
      return <Line {...common} field={field} value={value} onChange={onChange} />
    case 'lines':
      return <Textarea {...common} autosize minRows={4} maxRows={14} value={toText(value)} onChange={changeText} />
    case 'free':
      return (
        <textarea
          id={id}
          name={path}
          rows={1}
          className={`${layoutClasses.block} ${layoutClasses.fullWidth} ${layoutClasses.rounded} ${classes.multiline}`}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={describedBy}
          value={toText(value)}
          onChange={changeText}
          onBlur={onBlur}
        />
      )
    case 'choice': {
      const known = field.choices.some((choice) => choice.value === value)
      const stored = toText(value)
      return (
        <NativeSelect
          {...common}
          value={stored}
          // An imported value may not be one of the choices; it is shown unchanged until someone selects a choice.
          data={known ? [...field.choices] : [{ value: stored, label: stored || 'Please choose' }, ...field.choices]}
          onChange={changeText}
        />
      )
    }
    case 'search': {
      const { Picker } = field
      if (Picker) return <Picker {...{ id, required, value, error, describedBy, onChange }} label={field.label} />
      return (
        <Select
          {...common}
          searchable
          data={field.groupChoices ? [...field.groupChoices(values)] : [...field.choices]}
          limit={MAX_HITS}
          value={toText(value) || null}
          allowDeselect={false}
          placeholder="Type to find"
          nothingFoundMessage="Nothing found"
          comboboxProps={{ withinPortal: true, shadow: 'md' }}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      )
    }
    case 'day':
      return (
        <TextInput {...common} type="date" min="1900-01-01" max="2199-12-31" value={disabled ? '' : toText(value)} onChange={changeText} />
      )
    case 'check':
      return (
        <Checkbox
          {...common}
          required={false}
          label={<LabelText text={field.label} />}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'own': {
      const { Input } = field
      return (
        <Input
          id={id}
          label={field.label}
          required={required}
          value={value}
          values={values}
          error={error}
          describedBy={describedBy}
          before={props.before}
          onChange={onChange}
          onBlock={props.onBlock}
        />
      )
    }
  }
}
