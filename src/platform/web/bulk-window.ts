import type { Noun } from '../../contract/format.ts'
import type { EditableKind } from '../../contract/records.ts'
import { createStore, useStore } from './store.ts'

/** Many records to act on together. */
export interface BulkTarget {
  /** Which window opens: the one that changes fields, or the one that downloads a sheet to edit. */
  readonly task: 'change' | 'sheet'
  readonly kind: EditableKind
  readonly ids: readonly string[]
  /** The singular and plural of their noun. */
  readonly noun: Noun
  /** The columns that the list shows, for a sheet; undefined for all. */
  readonly columns?: readonly string[] | undefined
  /** The field that is selected first. */
  readonly field?: string
}

const target = createStore<BulkTarget | null>(null)

/** Opens the window for many records; the fields of their forms are only known at the root of the app. */
export const openBulkWindow = (about: BulkTarget): void => target.set(about)
export const closeBulkWindow = (): void => target.set(null)
export const useBulkWindow = (): BulkTarget | null => useStore(target)
