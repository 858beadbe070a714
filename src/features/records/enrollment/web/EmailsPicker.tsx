import { wrongEmails } from '../../../../platform/contract/written.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'

/** The field of a list of addresses in any form (section 5, D35). */
export const emailsField = (label: string): FormField => ({
  kind: 'line',
  label,
  span: 6,
  keyboard: 'email',
  hint: 'Separate email addresses with a space',
  wrongIn: wrongEmails,
})
