/** Limits for the shared texts of a workbook; 500,000 cells of 60 characters are within them. */
const MAX_TEXTS = 2_097_152
const MAX_TEXT_BYTES = 33_554_432
const BLOCK_BYTES = 1_048_576
/** A start and a length. */
const NUMBERS_PER_TEXT = 2

/** Thrown if a workbook has more shared texts than fit. */
export class TooManyTexts extends Error {}

/**
 * The shared texts of a workbook by index, as UTF-8 in a few blocks: as separate strings they take several times the memory, and each keeps the
 * piece of XML that it was cut from.
 */
export class SharedTexts {
  readonly #blocks: Buffer[] = []
  #positions = new Uint32Array(1024)
  #count = 0
  #end = 0
  #bytes = 0

  /** Adds a text of at most a third of a block. */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    this.#bytes += length
    if (this.#count === MAX_TEXTS || this.#bytes > MAX_TEXT_BYTES) throw new TooManyTexts()
    if ((this.#end % BLOCK_BYTES) + length > BLOCK_BYTES) this.#end = this.#blocks.length * BLOCK_BYTES
    if (this.#end === this.#blocks.length * BLOCK_BYTES && length > 0) this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
    this.#blocks.at(-1)?.write(text, this.#end % BLOCK_BYTES)
    this.#notePosition(this.#end, length)
    this.#end += length
  }

  get(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    const start = this.#positions[index * NUMBERS_PER_TEXT] ?? 0
    const length = this.#positions[index * NUMBERS_PER_TEXT + 1] ?? 0
    const from = start % BLOCK_BYTES
    return length === 0 ? '' : this.#blocks[Math.floor(start / BLOCK_BYTES)]?.toString('utf8', from, from + length)
  }

  #notePosition(start: number, length: number): void {
    const at = this.#count++ * NUMBERS_PER_TEXT
    if (at === this.#positions.length) {
      const larger = new Uint32Array(this.#positions.length * 2)
      larger.set(this.#positions)
      this.#positions = larger
    }
    this.#positions[at] = start
    this.#positions[at + 1] = length
  }
}
