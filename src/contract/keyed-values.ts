const MIN_SLOTS = 8
const FREE = 0
const DELETED = -1

const hashText = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93)
  return hash ^ (hash >>> 15)
}

/**
 * A map of values by a text property of each value, in insertion order. It takes less than half of the memory of a `Map`, which also stores each
 * key, and the garbage collector does not have to scan its slots.
 */
export class KeyedValues<V extends object> {
  readonly #getKey: (value: V) => string
  #values: (V | undefined)[] = []
  /** For each slot, the one-based index of a value. */
  #slots = new Int32Array(MIN_SLOTS)
  #size = 0

  constructor(getKey: (value: V) => string) {
    this.#getKey = getKey
  }

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    const known = this.#slots[this.#findSlot(key)] as number
    return known > FREE ? this.#values[known - 1] : undefined
  }

  /** Adds a value, or replaces the one with the same key. */
  set(value: V): void {
    const key = this.#getKey(value)
    let slot = this.#findSlot(key)
    const known = this.#slots[slot] as number
    if (known > FREE) {
      this.#values[known - 1] = value
      return
    }
    if ((this.#values.length + 1) * 4 > this.#slots.length * 3) {
      this.#rebuild()
      slot = this.#findSlot(key)
    }
    this.#slots[slot] = this.#values.push(value)
    this.#size++
  }

  delete(key: string): void {
    const slot = this.#findSlot(key)
    const known = this.#slots[slot] as number
    if (known <= FREE) return
    this.#values[known - 1] = undefined
    this.#slots[slot] = DELETED
    this.#size--
  }

  *[Symbol.iterator](): Generator<V> {
    for (const value of this.#values) if (value !== undefined) yield value
  }

  /** The slot with this key, or the free slot at which the search for it ends. */
  #findSlot(key: string): number {
    const mask = this.#slots.length - 1
    let slot = hashText(key) & mask
    for (let known = this.#slots[slot] as number; known !== FREE; known = this.#slots[slot] as number) {
      if (known !== DELETED && this.#getKey(this.#values[known - 1] as V) === key) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  /** Removes deleted entries, and adds slots if there are still too few. Iterations in progress continue over the previous array. */
  #rebuild(): void {
    let length = MIN_SLOTS
    while (this.#size * 2 >= length) length *= 2
    this.#values = this.#values.filter((value) => value !== undefined)
    this.#slots = new Int32Array(length)
    for (let at = 0; at < this.#values.length; at++) {
      let slot = hashText(this.#getKey(this.#values[at] as V)) & (length - 1)
      while (this.#slots[slot] !== FREE) slot = (slot + 1) & (length - 1)
      this.#slots[slot] = at + 1
    }
  }
}
