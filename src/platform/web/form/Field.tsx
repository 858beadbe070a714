import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight, IconCalendarEvent, IconClock } from '@tabler/icons-react'
import { memo } from 'react'
import type { ReactNode } from 'react'

import { LabelText } from '../kit/LabelText.tsx'
import { DiffText } from './DiffText.tsx'
import { FieldInput } from './FieldInput.tsx'
import type { FormField } from './fields.ts'
import { formatValue } from './fields.ts'
import { FieldValueText } from './FieldValueText.tsx'
import type { FieldValue, Values } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './Field.module.css'

interface FieldProps {
  readonly path: string
  readonly field: FormField
  readonly value: FieldValue
  /** Only the values that a dependent field needs; otherwise always the same object, so that a keystroke renders only one field. */
  readonly values: Values
  readonly before: FieldValue
  readonly isChanged: boolean
  /** Whether a change is suggested rather than saved. */
  readonly isSuggestion?: boolean
  /** What others have already suggested for it. */
  readonly contested?: string | undefined
  readonly isRequired: boolean
  readonly error: string | undefined
  /** The planned future value. */
  readonly coming?: string | null
  readonly onChange: (path: string, value: FieldValue) => void
  readonly onBlur: (path: string) => void
  readonly onUndo: (path: string) => void
  readonly onBlock: (path: string, reason: string | null) => void
}

export const getFieldId = (path: string): string => `field-${path.replaceAll('.', '-')}`

const MAX_ORIGINAL_LENGTH = 80
/** A pasted list with thousands of invalid entries would push the rest of the form off the screen. */
const MAX_WRONG_SHOWN = 5
const clipText = (text: string): string => (text.length > MAX_ORIGINAL_LENGTH ? `${text.slice(0, MAX_ORIGINAL_LENGTH)} …` : text)

const MAX_LINE_LENGTH = 60

/** The present and the suggested value, with differences highlighted; long texts on two lines, pictures side by side. */
const SuggestedChange = ({ field, before, value }: Pick<FieldProps, 'field' | 'before' | 'value'>) => {
  if (field.kind === 'own' && field.Preview)
    return (
      <span className={`${layoutClasses.toolbar} ${layoutClasses.gap10}`}>
        <span>
          Now
          <FieldValueText field={field} value={before} />
        </span>
        <IconArrowRight size={16} stroke={1.75} aria-hidden />
        <span>
          Suggested
          <FieldValueText field={field} value={value} />
        </span>
      </span>
    )
  const [now, next] = [formatValue(field, before), formatValue(field, value)]
  const isLong = now.length > MAX_LINE_LENGTH || next.length > MAX_LINE_LENGTH
  const old = <DiffText text={now} other={next} isClipped={isLong} isOld />
  const suggested = (
    <strong>
      <DiffText text={next} other={now} isClipped={isLong} />
    </strong>
  )
  if (!isLong)
    return (
      <>
        Now: {old} <IconArrowRight size={14} stroke={1.75} aria-hidden className={classes.arrow} />
        <VisuallyHidden component="span"> suggested: </VisuallyHidden> {suggested}{' '}
      </>
    )
  return (
    <span className={`${layoutClasses.grid} ${classes.twoLines}`}>
      <span>Now:</span> {old}
      <span>Suggested:</span> {suggested}
    </span>
  )
}

const Label = ({ id, field, isRequired, children }: { id: string; field: FormField; isRequired: boolean; children: ReactNode }) => {
  const words = (
    <>
      <LabelText text={field.label} />
      {isRequired ? (
        <span aria-hidden className={textClasses.required}>
          {' '}
          *
        </span>
      ) : null}
    </>
  )
  if (field.kind === 'own' && field.isGroup)
    return (
      <fieldset className={layoutClasses.shrinkable}>
        <legend className={`${layoutClasses.block} ${textClasses.small} ${textClasses.strong} ${classes.label}`}>
          {field.hasHiddenLabel ? <VisuallyHidden>{words}</VisuallyHidden> : words}
        </legend>
        {children}
      </fieldset>
    )
  return (
    <>
      {field.kind === 'check' ? null : (
        <label htmlFor={id} className={`${layoutClasses.block} ${textClasses.small} ${textClasses.strong} ${classes.label}`}>
          {words}
        </label>
      )}
      {children}
    </>
  )
}

/** One field of a form: label above; hint, error and previous value below. Changed fields have a line at the left. */
export const Field = memo(
  ({
    path,
    field,
    value,
    values,
    before,
    isChanged,
    isSuggestion = false,
    contested,
    isRequired,
    error,
    coming = null,
    onChange,
    onBlur,
    onUndo,
    onBlock,
  }: FieldProps) => {
    const id = getFieldId(path)
    const wrong = error && field.kind === 'line' && typeof value === 'string' ? (field.findInvalid?.(value) ?? []) : []
    const remark = field.note?.(value) ?? null
    const describedBy =
      [
        field.Below && `${id}-below`,
        field.hint && `${id}-hint`,
        remark !== null && `${id}-remark`,
        coming !== null && `${id}-coming`,
        error && `${id}-error`,
        contested !== undefined && `${id}-contested`,
      ]
        .filter(Boolean)
        .join(' ') || undefined
    return (
      <div
        className={`${layoutClasses.positioned} ${layoutClasses.shrinkable} ${classes.field}`}
        data-field={path}
        data-span={field.span ?? 3}
        data-changed={isChanged || undefined}
      >
        <Label id={id} field={field} isRequired={isRequired}>
          <FieldInput
            id={id}
            path={path}
            field={field}
            value={value}
            values={values}
            required={isRequired}
            error={error}
            describedBy={describedBy}
            onChange={(next) => onChange(path, next)}
            onBlur={() => onBlur(path)}
            before={before}
            onBlock={(reason) => onBlock(path, reason)}
          />
        </Label>
        {field.Below ? (
          <div id={`${id}-below`}>
            <field.Below path={path} label={field.longLabel ?? field.label} value={field.isDisabled?.(values) ? null : value} />
          </div>
        ) : null}
        {field.hint ? (
          <p id={`${id}-hint`} className={`${textClasses.hint} ${classes.hint}`}>
            {field.hint}
          </p>
        ) : null}
        {coming === null ? null : (
          <p id={`${id}-coming`} className={`${textClasses.hint} ${classes.planned}`}>
            <IconCalendarEvent size={15} stroke={1.75} aria-hidden />
            <span>{coming}</span>
          </p>
        )}
        {remark === null ? null : (
          <p id={`${id}-remark`} className={`${textClasses.hint} ${textClasses.wait} ${layoutClasses.topMargin4} ${classes.remark}`}>
            {remark}
          </p>
        )}
        {error ? (
          <p id={`${id}-error`} className={`${textClasses.hint} ${textClasses.error} ${classes.error}`}>
            {error}
            {wrong.length > 0 ? (
              <span className={`${layoutClasses.block} ${layoutClasses.breakable} ${textClasses.regular} ${classes.invalidAddresses}`}>
                Check {wrong.length === 1 ? 'this address' : 'these addresses'}: {wrong.slice(0, MAX_WRONG_SHOWN).join(', ')}
                {wrong.length > MAX_WRONG_SHOWN ? ` and ${(wrong.length - MAX_WRONG_SHOWN).toLocaleString('en-US')} more` : ''}
              </span>
            ) : null}
          </p>
        ) : null}
        {isChanged ? (
          <p className={`${textClasses.hint} ${layoutClasses.breakable} ${classes.oldValue}`}>
            {isSuggestion ? (
              <SuggestedChange field={field} before={before} value={value} />
            ) : (
              <>Was: {clipText(formatValue(field, before))} </>
            )}
            <button type="button" className={`${textClasses.linkColor} ${classes.undo}`} onClick={() => onUndo(path)}>
              Undo<VisuallyHidden component="span"> {field.longLabel ?? field.label}</VisuallyHidden>
            </button>
          </p>
        ) : null}
        {contested === undefined ? null : (
          <p id={`${id}-contested`} className={`${textClasses.hint} ${classes.otherChange}`}>
            <IconClock size={15} stroke={1.75} aria-hidden />
            <span>{contested}</span>
          </p>
        )}
      </div>
    )
  },
)
