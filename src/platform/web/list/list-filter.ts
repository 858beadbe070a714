import type { ReactNode } from 'react'

import type { Phrase } from './plain-words.ts'

/** A filter of a list: its value, its control, and what the list says about it. */
export interface ListFilter<Value extends string = string> {
  /** Undefined without a filter. */
  readonly value: Value | undefined
  /** Null if the page shows it elsewhere. */
  readonly control: ReactNode
  /** The phrases that the search field turns into this filter. */
  readonly phrases?: readonly Phrase[]
  /** In the message of an empty list, before the noun: 'closed'. */
  readonly adjective?: string | undefined
  /** The same, after the noun: 'in Ohio'. */
  readonly condition?: string | undefined
  /** The value in the URL that shows all records; undefined if that is the list's initial state. */
  readonly allValue?: Value
}
