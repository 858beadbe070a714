import type { Fields } from './fields.ts'
import type { RecordRef, Findings } from './findings.ts'
import { isEmpty, type RawRecord } from './raw-values.ts'
import type { ReaderContext } from './value-readers.ts'

/** Reads the fields of a record, each once, and reports those that were not read. */
export class RecordReader {
  readonly #raw: RawRecord
  readonly #ref: RecordRef
  readonly #findings: Findings
  readonly #context: ReaderContext
  readonly #readKeys = new Set<string>()
  readonly #path: string

  constructor(read: RawRecord, ref: RecordRef, findings: Findings, context: ReaderContext, path = '') {
    this.#raw = read
    this.#ref = ref
    this.#findings = findings
    this.#context = context
    this.#path = path
  }

  /** Finds a field by its name or an alias, ignoring case. */
  #findKey(name: string, also: readonly string[] = []): string | undefined {
    for (const one of [name, ...also]) if (one in this.#raw && !this.#readKeys.has(one)) return one
    const lower = new Set([name, ...also].map((one) => one.toLowerCase()))
    return Object.keys(this.#raw).find((key) => lower.has(key.trim().toLowerCase()) && !this.#readKeys.has(key))
  }

  raw(name: string, ...also: string[]): unknown {
    const key = this.#findKey(name, also)
    if (key === undefined) return undefined
    this.#readKeys.add(key)
    return this.#raw[key]
  }

  /** Reads fields into columns and reports findings. */
  readInto(values: Record<string, unknown>, fields: Fields): void {
    for (const [name, { read, aliases: also, column = name }] of Object.entries(fields)) {
      const key = this.#findKey(name, also)
      if (key === undefined || column in values) continue
      this.#readKeys.add(key)
      const raw = this.#raw[key]
      const { value, finding, unread = [] } = read(raw, this.#context)
      values[column] = value
      if (finding) this.#findings.add(this.#ref, this.#path + key, finding.type, { value: raw, stored: value, reason: finding.reason })
      for (const one of unread)
        this.#findings.add(this.#ref, `${this.#path}${key}${one.at === '' ? '' : `.${one.at}`}`, 'no place', { value: one.value })
    }
  }

  ignore(...names: string[]): void {
    for (const name of names) this.#readKeys.add(name)
  }

  /** Reports every field that was not read. */
  reportUnread(): void {
    for (const [key, value] of Object.entries(this.#raw)) {
      if (!this.#readKeys.has(key) && !isEmpty(value)) this.#findings.add(this.#ref, this.#path + key, 'no place', { value })
    }
  }
}
