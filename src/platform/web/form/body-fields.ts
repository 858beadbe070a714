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

/** Text as typed, including numbers and choices; everything else as in the body. */
export type Typed<Value> = Value extends undefined
  ? never
  : Value extends string | number
    ? string
    : Value extends readonly (infer Entry)[]
      ? readonly Entry[]
      : Value

/** The field paths of a call's body. */
export type FieldPath<C extends SavingCall> = PathIn<BodyOf<C>>

/** The values of a form for these paths. */
export type FormValues<C extends SavingCall> = { readonly [Path in FieldPath<C>]?: Typed<ValueAt<BodyOf<C>, Path>> }

/** Form fields, all of which exist in the call's body. */
export type FieldsOf<C extends SavingCall, Fields> = Fields & { readonly [Name in Exclude<keyof Fields, FieldPath<C>>]: never } & Readonly<
    Record<string, FormField>
  >

/** The path parameters of a call that has some. */
export type ParamsProp<C extends Call> = ParamsOf<C> extends undefined ? { readonly params?: undefined } : { readonly params: ParamsOf<C> }
