import { findInvalidEmails } from '../../../contract/text-schemas.ts'
import type { FormField } from './fields.ts'

/** The form field for a list of email addresses. */
export const buildEmailsField = (label: string): FormField => ({
  kind: 'line',
  label,
  span: 6,
  keyboard: 'email',
  hint: 'Separate email addresses with a space',
  findInvalid: findInvalidEmails,
})
