import { formatPhone, readPhone } from '../../../contract/phones.ts'
import type { FormField } from './fields.ts'

type LineField = Extract<FormField, { kind: 'line' }>

/** A pasted number stays until it is formatted, because its digits alone may include an extension. */
const isPhone = (typed: string): boolean => readPhone(typed) !== undefined

/** A phone or fax number that is formatted automatically. */
export const phoneField = (label: string): LineField => ({
  kind: 'line',
  label,
  keyboard: 'tel',
  placeholder: 'xxx-xxx-xxxx',
  hint: 'Will be formatted as xxx-xxx-xxxx',
  filter: {
    disallowed: /[^\d+-]/g,
    keeps: isPhone,
    message: 'Only digits, plus signs and hyphens are allowed. Other characters were removed.',
  },
  format: formatPhone,
})

/** The same with an optional extension. */
export const extensionField = (label: string): LineField => ({
  ...phoneField(label),
  hint: 'Will be formatted as xxx-xxx-xxxx. You can add an extension such as x12.',
  filter: {
    disallowed: /[^\d+x -]/g,
    keeps: isPhone,
    message: 'Only digits, plus signs, hyphens and an extension are allowed. Other characters were removed.',
  },
})
