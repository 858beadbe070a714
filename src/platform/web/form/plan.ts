import { formatDay } from '../../../contract/dates.ts'
import { type FormField, formatValue, toFormValue } from './fields.ts'

/** A change of a field that takes effect on a later day. */
export interface ComingValue {
  readonly day: string
  readonly value: unknown
  /** The name, if the value refers to another record. */
  readonly name: string | null
  readonly by: string
}

/** How a form plans its changes for a later day. */
export interface FormPlan {
  /** Changes that are already planned, by the paths of the form. */
  readonly coming: Readonly<Record<string, readonly ComingValue[]>>
  /** Plans the changed fields, in the shape of the body of the form's call. */
  readonly send: (changes: Readonly<Record<string, unknown>>, day: string) => Promise<unknown>
}

/** 'From 07/01/2027: 661-555-0187, planned by Dana Whitlock' */
export const formatComing = (field: FormField, coming: FormPlan['coming'][string] | undefined): string | null =>
  coming
    ?.map(
      ({ day, value, name, by }) => `From ${formatDay(day)}: ${name ?? formatValue(field, toFormValue(field, value))}, planned by ${by}`,
    )
    .join('\n') ?? null
