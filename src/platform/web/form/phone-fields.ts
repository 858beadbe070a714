import { formatPhone } from '../../../contract/phones.ts'
import type { FormField } from './fields.ts'

type LineField = Extract<FormField, { kind: 'line' }>

/** A phone or fax number that is formatted automatically. */
export const phoneField = (label: string): LineField => ({
  kind: 'line',
  label,
  keyboard: 'tel',
  placeholder: 'xxx-xxx-xxxx',
  hint: 'Will be formatted as xxx-xxx-xxxx',
  filter: { disallowed: /[^\d+-]/g, message: 'Only digits, plus signs and hyphens are allowed. Other characters were removed.' },
  format: formatPhone,
})

/** Formats the number; everything after an x stays. */
const formatWithExtension = (typed: string): string => {
  const [number = '', extension = ''] = typed.split('x').map((part) => part.trim())
  return extension === '' ? formatPhone(number) : `${formatPhone(number)} x${extension}`
}

/** The same with an optional extension. */
export const extensionField = (label: string): LineField => ({
  ...phoneField(label),
  hint: 'Will be formatted as xxx-xxx-xxxx. You can add an extension such as x12.',
  filter: {
    disallowed: /[^\d+x -]/g,
    message: 'Only digits, plus signs, hyphens and an extension are allowed. Other characters were removed.',
  },
  format: formatWithExtension,
})
