import type { z } from 'zod'

import type { BodyOf, Call, ParamsOf } from '../../../contract/call.ts'
import type { FormField } from './fields.ts'

// What a form can hold is derived from the call that saves it.

/** A call whose body a form fills in. */
export type SavingCall = Call & { readonly body: z.ZodObject; readonly response: z.ZodType }

/** A field, or a field of an object: `address.city`. */
type PathIn<Body> = {
  [Name in keyof Body & string]-?: NonNullable<Body[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<Body[Name]> extends object
      ? Name | `${Name}.${keyof NonNullable<Body[Name]> & string}`
      : Name
}[keyof Body & string]

type ValueAt<Body, Path extends string> = Path extends `${infer Parent}.${infer Name}`
  ? ValueAt<NonNullable<Body[Parent & keyof Body]>, Name>
  : Body[Path & keyof Body]

/** A text as it is typed, numbers and choices included; everything else as the body has it. */
export type Typed<Value> = Value extends undefined
  ? never
  : Value extends string | number
    ? string
    : Value extends readonly (infer Entry)[]
      ? readonly Entry[]
      : Value

/** The paths of the fields that a call's body has. */
export type FieldPath<C extends SavingCall> = PathIn<BodyOf<C>>

/** What a form holds of them. */
export type FormValues<C extends SavingCall> = { readonly [Path in FieldPath<C>]?: Typed<ValueAt<BodyOf<C>, Path>> }

/** Fields of a form, of which the call's body has each. */
export type FieldsOf<C extends SavingCall, Fields> = Fields & { readonly [Name in Exclude<keyof Fields, FieldPath<C>>]: never } & Readonly<
    Record<string, FormField>
  >

/** The parameters of a call that has some. */
export type ParamsProp<C extends Call> = ParamsOf<C> extends undefined ? { readonly params?: undefined } : { readonly params: ParamsOf<C> }
