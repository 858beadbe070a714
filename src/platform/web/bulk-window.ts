import type { EditableKind } from '../../contract/records.ts'
import { createStore, useStore } from './store.ts'

/** Many records that something is done with. */
export interface BulkTarget {
  /** What opens: the window that changes a field, or the download of a sheet to edit. */
  readonly task: 'change' | 'sheet'
  readonly kind: EditableKind
  readonly ids: readonly string[]
  /** What they are called: one, many. */
  readonly noun: readonly [one: string, many: string]
  /** The columns that the list shows, for a sheet; undefined for all. */
  readonly columns?: readonly string[] | undefined
  /** The field that is chosen first. */
  readonly field?: string
  readonly onDone?: () => void
}

const target = createStore<BulkTarget | null>(null)

/** Opens what is done with many records; the fields of their forms are known at the root of the app alone. */
export const openBulkWindow = (about: BulkTarget): void => target.set(about)
export const closeBulkWindow = (): void => target.set(null)
export const useBulkWindow = (): BulkTarget | null => useStore(target)
