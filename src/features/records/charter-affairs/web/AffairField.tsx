import { Anchor, VisuallyHidden } from '@mantine/core'

import { isEmail, mailtoOf } from '../../../../platform/contract/emails.ts'
import { telOf } from '../../../../platform/contract/phones.ts'
import { CopyButton } from '../../../../platform/web/kit/CopyButton.tsx'
import { copiedFields, remarkOn } from '../rules.ts'
import { Marked } from './Marked.tsx'
import type { ShownField } from './sections.ts'

import classes from './affair.module.css'

/** A text this long, or with lines of its own, has the whole width. */
const LONG = 120
const isLong = (value: string | null): boolean => value !== null && (value.length > LONG || value.includes('\n'))

const ONE_NUMBER = /^\+?[\d ().-]{7,20}(\s*(x|ext\.?)\s*\d{1,6})?$/i

/** Where a value leads, if it is nothing but one address or one number; the fields are free text and often hold more. */
const addressOf = ({ name, value }: ShownField): string | null => {
  const text = value?.trim() ?? ''
  if (name === 'authorizer_email' && isEmail(text)) return mailtoOf(text)
  if (name === 'authorizer_phone_number' && ONE_NUMBER.test(text)) return telOf(text)
  return null
}

/** The text of a field with what was searched for marked; a dash where nothing is on file. */
export const FieldText = ({ field, typed }: { field: ShownField; typed: string }) => {
  if (field.value === null)
    return (
      <span className={classes.empty}>
        <span aria-hidden>—</span>
        <VisuallyHidden>Not filled in</VisuallyHidden>
      </span>
    )
  const address = addressOf(field)
  const text = <Marked text={field.value} typed={typed} />
  return address ? (
    <Anchor href={address} inherit>
      {text}
    </Anchor>
  ) : (
    text
  )
}

const Remark = ({ field }: { field: ShownField }) => {
  const remark = remarkOn(field.name, field.value)
  return remark === null ? null : <dd className={classes.remark}>{remark}</dd>
}

/** Label and text of one field. */
export const AffairField = ({ field, typed }: { field: ShownField; typed: string }) => (
  <div className={classes.field} data-long={isLong(field.value) || undefined}>
    <dt className={classes.label}>
      <Marked text={field.label} typed={typed} />
    </dt>
    <dd className={classes.value}>
      <span className={classes.text}>
        <FieldText field={field} typed={typed} />
      </span>
      {field.value !== null && copiedFields.has(field.name) ? <CopyButton value={field.value.trim()} what={field.label} /> : null}
    </dd>
    <Remark field={field} />
  </div>
)
