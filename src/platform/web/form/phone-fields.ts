import { showPhone } from '../../contract/phones.ts'
import type { FormField } from './fields.ts'

type LineField = Extract<FormField, { kind: 'line' }>

/** A phone or fax number, which formats itself (section 5). */
export const phoneField = (label: string): LineField => ({
  kind: 'line',
  label,
  keyboard: 'tel',
  placeholder: 'xxx-xxx-xxxx',
  hint: 'Formats itself as xxx-xxx-xxxx',
  strip: { not: /[^\d+-]/g, says: 'Only digits, plus and hyphen are kept' },
  format: showPhone,
})

/** The number formats itself; what follows an x stays. */
const withExtension = (typed: string): string => {
  const [number = '', extension = ''] = typed.split('x').map((part) => part.trim())
  return extension === '' ? showPhone(number) : `${showPhone(number)} x${extension}`
}

/** The same, and an extension may follow. */
export const extensionField = (label: string): LineField => ({
  ...phoneField(label),
  hint: 'Formats itself as xxx-xxx-xxxx; an extension such as x12 may follow',
  strip: { not: /[^\d+x -]/g, says: 'Only digits, plus and hyphen are kept, and an extension' },
  format: withExtension,
})
