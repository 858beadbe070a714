import { compareBytes } from '../../../contract/byte-order.ts'
import { memoize } from '../../../contract/memoize.ts'
import { DUPLICATE_KINDS, type DuplicateKind, KIND_DUPLICATES } from '../../../contract/records.ts'
import type { ModelChange, ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getReferenced } from '../../../platform/server/read-model/table-rows.ts'
import { isModelTable } from '../../../platform/server/read-model/tables.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { compareProfiles, type Comparison, listBlocks, type ListRows, type Profile, toProfile } from './compare.ts'

/** A value that more records share says nothing: the phone number of a large office. */
const MAX_BLOCK = 50

export interface Pair extends Comparison {
  readonly kind: DuplicateKind
  readonly a: string
  readonly b: string
}

/** The pairs of one kind, which follow the changes of its records. */
class PairsOfKind {
  readonly #kind: DuplicateKind
  readonly #model: ReadModel
  readonly #profiles = new Map<string, Profile>()
  readonly #blocks = new Map<string, Set<string>>()
  /** Each pair under both of its records. */
  readonly #pairs = new Map<string, Map<string, Comparison>>()
  readonly #changed = new Set<string>()
  #isWhole = false
  #work: Promise<void> | undefined

  constructor(kind: DuplicateKind, model: ReadModel) {
    this.#kind = kind
    this.#model = model
  }

  follow(change: ModelChange): void {
    if (change === 'everything') this.#isWhole = false
    else
      for (const row of change) {
        if (row.table === this.#kind) this.#changed.add(row.key)
        else if (KIND_DUPLICATES[this.#kind].signs.some(({ rowsOf }) => rowsOf === row.table))
          for (const key of getReferenced(row, this.#kind)) this.#changed.add(key)
      }
  }

  /** Compares what has changed, between other requests. */
  async update(): Promise<void> {
    while (!this.#isWhole || this.#changed.size > 0) {
      this.#work ??= this.#compare().finally(() => (this.#work = undefined))
      await this.#work
    }
  }

  async #compare(): Promise<void> {
    await this.#model.ready()
    if (!this.#isWhole) {
      for (const map of [this.#profiles, this.#blocks, this.#pairs]) map.clear()
      for (const { _id } of this.#model.table(this.#kind).all()) this.#changed.add(_id)
      this.#isWhole = true
    }
    const rest = createTimeSlices()
    for (const key of this.#changed) {
      this.#changed.delete(key)
      this.#replace(key)
      await rest()
    }
  }

  #replace(key: string): void {
    const before = this.#profiles.get(key)
    if (before) for (const block of listBlocks(this.#kind, before)) this.#blocks.get(block)?.delete(key)
    for (const other of this.#pairs.get(key)?.keys() ?? []) this.#pairs.get(other)?.delete(key)
    this.#pairs.delete(key)
    this.#profiles.delete(key)
    const row = this.#model.table(this.#kind).get(key)
    if (!row) return
    const profile = toProfile(this.#kind, row, this.#listRows(key))
    for (const [other, comparison] of this.find(profile)) {
      this.#add(key, other, comparison)
      this.#add(other, key, comparison)
    }
    this.#profiles.set(key, profile)
    for (const block of listBlocks(this.#kind, profile)) {
      const members = this.#blocks.get(block) ?? new Set()
      this.#blocks.set(block, members.add(key))
    }
  }

  #listRows(key: string): ListRows {
    return (table) => (isModelTable(table) ? this.#model.table(table).where(this.#kind, key) : [])
  }

  #add(key: string, other: string, comparison: Comparison): void {
    const own = this.#pairs.get(key) ?? new Map<string, Comparison>()
    this.#pairs.set(key, own.set(other, comparison))
  }

  /** The records that are probably the one with a profile. */
  find(profile: Profile): Map<string, Comparison> {
    const found = new Map<string, Comparison>()
    const compared = new Set<string>()
    for (const block of listBlocks(this.#kind, profile)) {
      const members = this.#blocks.get(block)
      if (!members || members.size > MAX_BLOCK) continue
      for (const other of members) {
        const known = this.#profiles.get(other)
        if (compared.has(other) || !known) continue
        compared.add(other)
        const comparison = compareProfiles(this.#kind, profile, known)
        if (comparison) found.set(other, comparison)
      }
    }
    return found
  }

  getReasons(a: string, b: string): readonly string[] {
    return this.#pairs.get(a)?.get(b)?.reasons ?? []
  }

  list(): Pair[] {
    return [...this.#pairs].flatMap(([a, others]) =>
      [...others].flatMap(([b, comparison]) => (a < b ? [{ kind: this.#kind, a, b, ...comparison }] : [])),
    )
  }
}

class LiveDuplicates {
  readonly #kinds: ReadonlyMap<DuplicateKind, PairsOfKind>

  constructor(model: ReadModel) {
    this.#kinds = new Map(DUPLICATE_KINDS.map((kind) => [kind, new PairsOfKind(kind, model)]))
    model.onChange((change) => {
      for (const pairs of this.#kinds.values()) pairs.follow(change)
    })
  }

  async #get(kind: DuplicateKind): Promise<PairsOfKind> {
    const pairs = this.#kinds.get(kind)
    if (!pairs) throw new Error(`Duplicates of ${kind} are not found`)
    await pairs.update()
    return pairs
  }

  /** The pairs that are probably one, best first. */
  async list(kinds: readonly DuplicateKind[]): Promise<Pair[]> {
    const found: Pair[] = []
    for (const kind of kinds) found.push(...(await this.#get(kind)).list())
    return found.toSorted((one, other) => other.score - one.score || compareBytes(one.a, other.a) || compareBytes(one.b, other.b))
  }

  /** Why two records are probably one; nothing if they are not. */
  async getReasons(kind: DuplicateKind, a: string, b: string): Promise<readonly string[]> {
    return (await this.#get(kind)).getReasons(a, b)
  }

  /** The records that a new one with these values, by column, would probably duplicate, best first. */
  async findFor(kind: DuplicateKind, values: object): Promise<readonly (Comparison & { readonly _id: string })[]> {
    const pairs = await this.#get(kind)
    const found = pairs.find(toProfile(kind, values, () => []))
    return [...found].map(([_id, comparison]) => ({ _id, ...comparison })).toSorted((one, other) => other.score - one.score)
  }
}

/** The duplicates of a server. */
export const getLiveDuplicates = memoize((model: ReadModel) => new LiveDuplicates(model))
