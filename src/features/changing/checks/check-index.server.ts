import { type CheckIntervals, type CheckedKind, isCheckedKind } from '../../../contract/checks.ts'
import { isClosed } from '../../../contract/status.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { ModelChange, ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { SortedKeys } from '../../../platform/server/read-model/table-rows.ts'
import type { ModelRow } from '../../../platform/server/read-model/tables.ts'
import { readStoredCheckSettings } from './settings.server.ts'

type IndexContext = Pick<AppContext, 'db' | 'lists' | 'readModel'>
export type CheckedRow = ModelRow<'site'> | ModelRow<'person'> | ModelRow<'charter'>

/** Closed records and people who left are not checked. */
export const isChecked = (row: CheckedRow): boolean => ('leftAt' in row ? row.leftAt === null : !isClosed(row.status))

/** Records that were never checked come first. */
const getOrder = (row: CheckedRow): string => row.checkedAt ?? ''

/** The records in the order of their last checks, updated with every change, so that requests do not search all records. */
export class CheckIndex {
  readonly #context: IndexContext
  /** For the kinds that were requested so far. */
  readonly #orders = new Map<CheckedKind, SortedKeys>()
  #intervals: CheckIntervals | undefined
  /** Counts changes of the settings. */
  settingsRevision = 0

  constructor(context: IndexContext) {
    this.#context = context
    context.readModel.onChange((change) => this.#update(change))
    context.lists.onChange((tables) => {
      if (tables !== 'any' && !tables.has('setting')) return
      this.#intervals = undefined
      this.settingsRevision++
    })
  }

  #update(change: ModelChange): void {
    if (change === 'everything') {
      this.#orders.clear()
      return
    }
    for (const { table, key, before, after } of change) {
      const order = isCheckedKind(table) ? this.#orders.get(table) : undefined
      if (!order) continue
      const [old, now] = [before as CheckedRow | undefined, after as CheckedRow | undefined]
      if (old && isChecked(old)) order.remove(getOrder(old), key)
      if (now && isChecked(now)) order.add(getOrder(now), key)
    }
  }

  /** The `_id`s of records of a kind that were last checked before a moment, oldest check first. */
  listNotCheckedSince(kind: CheckedKind, moment: Date): string[] {
    let order = this.#orders.get(kind)
    if (!order) this.#orders.set(kind, (order = sortRows(this.#context.readModel, kind)))
    // A moment in the same millisecond may have more digits, and is not earlier.
    return order.keysUpTo(moment.toISOString().replace('Z', '~'))
  }

  async getIntervals(): Promise<CheckIntervals> {
    const { db, readModel } = this.#context
    const { settingsRevision } = this
    if (this.#intervals && readModel.isFollowing) return this.#intervals
    const { intervals } = await readStoredCheckSettings(db)
    // Concurrent saves are read the next time.
    if (settingsRevision === this.settingsRevision) this.#intervals = intervals
    return intervals
  }
}

const sortRows = (model: ReadModel, kind: CheckedKind): SortedKeys => {
  const rows = [...(model.table(kind).all() as Iterable<CheckedRow>)].filter(isChecked)
  const sorted = new SortedKeys()
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  for (const row of rows.toSorted((a, b) => compare(getOrder(a), getOrder(b)) || compare(a._id, b._id))) sorted.add(getOrder(row), row._id)
  return sorted
}

const indexes = new WeakMap<ReadModel, CheckIndex>()

/** The current check index of a server. */
export const getCheckIndex = async (context: IndexContext): Promise<CheckIndex> => {
  await context.readModel.ready()
  const index = indexes.get(context.readModel) ?? new CheckIndex(context)
  indexes.set(context.readModel, index)
  return index
}
