/** The size at which a block is split in two. An index is the index of a block times this, plus the index within the block. */
const BLOCK = 512

/**
 * Numbered words in sorted order: words with the same beginning are adjacent, as in a tree, with a tenth of its memory. They are in blocks, so that
 * adding or removing a word only moves the few words of its block.
 */
export class SortedWords {
  /** By number. */
  readonly #words: (string | undefined)[] = []
  readonly #freeIds: number[] = []
  /** Numbers sorted by their words. */
  readonly #blocks: number[][] = [[]]

  constructor(words: Iterable<string> = []) {
    for (const word of words) this.add(word)
  }

  getWord(id: number): string {
    return this.#words[id] ?? ''
  }

  getId(word: string): number | undefined {
    const id = this.#idAt(this.#find(word))
    return id !== undefined && this.#words[id] === word ? id : undefined
  }

  /** The number of a word; a new word gets a new number. */
  add(word: string): number {
    const index = this.#find(word)
    const known = this.#idAt(index)
    if (known !== undefined && this.#words[known] === word) return known
    const id = this.#freeIds.pop() ?? this.#words.length
    this.#words[id] = word
    const at = Math.floor(index / BLOCK)
    const block = this.#blocks[at] as number[]
    block.splice(index % BLOCK, 0, id)
    if (block.length === BLOCK) this.#blocks.splice(at, 1, block.slice(0, BLOCK / 2), block.slice(BLOCK / 2))
    return id
  }

  delete(id: number): void {
    const index = this.#find(this.getWord(id))
    const at = Math.floor(index / BLOCK)
    this.#blocks[at]?.splice(index % BLOCK, 1)
    if (this.#blocks[at]?.length === 0 && this.#blocks.length > 1) this.#blocks.splice(at, 1)
    this.#words[id] = undefined
    this.#freeIds.push(id)
  }

  /** The first words that begin with a text, including the text itself, in order. */
  findBeginning(text: string, most: number): string[] {
    const found: string[] = []
    for (let index = this.#find(text); found.length < most; index = this.#next(index)) {
      const id = this.#idAt(index)
      if (id === undefined || !this.getWord(id).startsWith(text)) break
      found.push(this.getWord(id))
    }
    return found
  }

  /** Words that contain a text, unordered. */
  findContaining(text: string, most: number): string[] {
    const found: string[] = []
    for (const word of this.#words) {
      if (found.length >= most) break
      if (word !== undefined && word.length > text.length && word.includes(text)) found.push(word)
    }
    return found
  }

  /** The words that differ from the typed word by at most this many letters: wrong, missing or extra. */
  findSimilar(typed: string, most: number): string[] {
    const found: string[] = []
    const width = typed.length + 1
    // One row for each prefix of the word, with its distances from the prefixes of the typed word. Words with a common prefix share its rows.
    const distances = new Uint8Array(width * (width + most + 1))
    for (let column = 0; column < width; column++) distances[column] = column
    let [index, previous, rows] = [0, '', 0]
    for (let id = this.#idAt(index); id !== undefined; id = this.#idAt(index)) {
      const word = this.getWord(id)
      let length = 0
      while (length < rows && word[length] === previous[length]) length++
      let least = 0
      while (length < word.length && least <= most) least = fillRow(distances, typed, word.charCodeAt(length), ++length * width)
      if (least > most) index = Math.max(this.#next(index), this.#find(`${word.slice(0, length)}\uFFFF`))
      else {
        if ((distances[length * width + typed.length] as number) <= most) found.push(word)
        index = this.#next(index)
      }
      previous = word
      rows = least > most ? length - 1 : length
    }
    return found
  }

  #idAt(index: number): number | undefined {
    return this.#blocks[Math.floor(index / BLOCK)]?.[index % BLOCK]
  }

  #next(index: number): number {
    const at = Math.floor(index / BLOCK)
    return index % BLOCK < (this.#blocks[at] as number[]).length - 1 ? index + 1 : (at + 1) * BLOCK
  }

  /** The index of the first word that is not before the given one, or where it would be. */
  #find(word: string): number {
    const isBefore = (id: number | undefined): boolean => id !== undefined && (this.#words[id] as string) < word
    const at = Math.max(0, countBefore(this.#blocks, ([first]) => isBefore(first)) - 1)
    const block = this.#blocks[at] as number[]
    const index = countBefore(block, isBefore)
    return index < block.length || at === this.#blocks.length - 1 ? at * BLOCK + index : (at + 1) * BLOCK
  }
}

/** The number of items of a sorted list that come before a searched position. */
const countBefore = <T>(items: readonly T[], isBefore: (item: T) => boolean): number => {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(items[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

/** Fills the row that begins at `row` from the one before it; returns its smallest distance. */
const fillRow = (distances: Uint8Array, typed: string, letter: number, row: number): number => {
  const before = row - typed.length - 1
  let least = (distances[row] = (distances[before] as number) + 1)
  for (let at = 0; at < typed.length; at++) {
    const replaced = (distances[before + at] as number) + (typed.charCodeAt(at) === letter ? 0 : 1)
    const changed = Math.min(distances[before + at + 1] as number, distances[row + at] as number) + 1
    least = Math.min(least, (distances[row + at + 1] = Math.min(replaced, changed)))
  }
  return least
}
