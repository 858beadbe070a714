import type { Fields } from './fields.ts'
import type { RecordRef, Findings } from './findings.ts'
import { isEmpty, type RawRecord } from './raw-values.ts'
import type { ReaderContext } from './value-readers.ts'

/** A record's fields, each taken once: what is left in the end found no place. */
export class RecordReader {
  readonly #raw: RawRecord
  readonly #about: RecordRef
  readonly #findings: Findings
  readonly #reading: ReaderContext
  readonly #taken = new Set<string>()
  readonly #path: string

  constructor(read: RawRecord, about: RecordRef, findings: Findings, reading: ReaderContext, path = '') {
    this.#raw = read
    this.#about = about
    this.#findings = findings
    this.#reading = reading
    this.#path = path
  }

  /** The key under which a field stands here: its own name, another it had, either in another case. */
  #keyOf(name: string, also: readonly string[] = []): string | undefined {
    for (const one of [name, ...also]) if (one in this.#raw && !this.#taken.has(one)) return one
    const lower = new Set([name, ...also].map((one) => one.toLowerCase()))
    return Object.keys(this.#raw).find((key) => lower.has(key.trim().toLowerCase()) && !this.#taken.has(key))
  }

  raw(name: string, ...also: string[]): unknown {
    const key = this.#keyOf(name, also)
    if (key === undefined) return undefined
    this.#taken.add(key)
    return this.#raw[key]
  }

  /** Reads fields into columns and tells what became of each. */
  readInto(values: Record<string, unknown>, fields: Fields): void {
    for (const [name, { read, aliases: also, column = name }] of Object.entries(fields)) {
      const key = this.#keyOf(name, also)
      if (key === undefined || column in values) continue
      this.#taken.add(key)
      const raw = this.#raw[key]
      const { value, finding, unread = [] } = read(raw, this.#reading)
      values[column] = value
      if (finding) this.#findings.add(this.#about, this.#path + key, finding.type, { value: raw, stored: value, reason: finding.reason })
      for (const one of unread)
        this.#findings.add(this.#about, `${this.#path}${key}${one.at === '' ? '' : `.${one.at}`}`, 'no place', { value: one.value })
    }
  }

  ignore(...names: string[]): void {
    for (const name of names) this.#taken.add(name)
  }

  /** Everything that nobody took. */
  reportUnread(): void {
    for (const [key, value] of Object.entries(this.#raw)) {
      if (!this.#taken.has(key) && !isEmpty(value)) this.#findings.add(this.#about, this.#path + key, 'no place', { value })
    }
  }
}
