import { Anchor, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

import { isEmail, toMailtoUrl } from '../../../contract/emails.ts'
import { readPhone, toTelUrl } from '../../../contract/phones.ts'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import { LabelText } from '../../../platform/web/kit/LabelText.tsx'
import { DeadlineBadge } from '../../../platform/web/record-features.tsx'
import { COPYABLE_FIELDS, getFormatHint } from '../rules.ts'
import { MatchedText } from './MatchedText.tsx'
import type { ShownField } from './sections.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Affair.module.css'

/** Longer text, and text with line breaks, gets the full width. */
const LONG_TEXT_LENGTH = 120
const isLong = (value: string | null): boolean => value !== null && (value.length > LONG_TEXT_LENGTH || value.includes('\n'))

/** The link of a value that is a single email address or phone number; these fields are free text and may hold more. */
const getHref = ({ name, value }: ShownField): string | null => {
  const text = value?.trim() ?? ''
  if (name === 'authorizer_email' && isEmail(text)) return toMailtoUrl(text)
  if (name === 'authorizer_phone_number' && readPhone(text) !== undefined) return toTelUrl(text)
  return null
}

/** The text of a field with search matches marked; a dash if it is empty. */
export const FieldText = ({ field, typed }: { field: ShownField; typed: string }) => {
  if (field.value === null)
    return (
      <span className={textClasses.dimmed}>
        <span aria-hidden>—</span>
        <VisuallyHidden>Not filled in</VisuallyHidden>
      </span>
    )
  const address = getHref(field)
  const text = <MatchedText text={field.value} typed={typed} />
  return address ? (
    <Anchor href={address} inherit>
      {text}
    </Anchor>
  ) : (
    text
  )
}

const FormatHint = ({ field }: { field: ShownField }) => {
  const remark = getFormatHint(field.name, field.value)
  return remark === null ? null : <dd className={`${textClasses.hint} ${textClasses.wait} ${layoutClasses.topMargin2}`}>{remark}</dd>
}

/** The deadline in the text of a field. */
export const FieldDeadline = ({ field, element: Element }: { field: ShownField; element: 'dd' | 'div' }) =>
  field.hasDeadline && field.value !== null ? (
    <Element className={`${layoutClasses.topMargin4} ${layoutClasses.minHeight24}`}>
      <DeadlineBadge path={field.path} text={field.value} />
    </Element>
  ) : null

/** Label and text of one field. */
export const AffairField = ({ field, typed, note }: { field: ShownField; typed: string; note?: ReactNode }) => (
  <div
    className={`${layoutClasses.shrinkable} ${classes.field}`}
    data-long={isLong(field.value) || undefined}
    data-field={field.path}
    tabIndex={-1}
  >
    <dt className={textClasses.hint}>
      {typed === '' ? <LabelText text={field.label} /> : <MatchedText text={field.label} typed={typed} />}
    </dt>
    <dd className={`${layoutClasses.topRow} ${textClasses.lines} ${layoutClasses.topMargin2} ${classes.value}`}>
      <span className={`${layoutClasses.content} ${layoutClasses.readableWidth} ${textClasses.keptLines}`}>
        <FieldText field={field} typed={typed} />
        {note}
      </span>
      {field.value !== null && COPYABLE_FIELDS.has(field.name) ? <CopyButton value={field.value.trim()} what={field.label} /> : null}
    </dd>
    <FormatHint field={field} />
    <FieldDeadline field={field} element="dd" />
  </div>
)
