import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { ANNOUNCE_MS, FORM_EXPIRES_MS } from './rules.ts'

/** A form that someone has open, as servers tell each other. */
export interface OpenForm {
  readonly form: string
  /** Kind and key of its record. */
  readonly record: string
  readonly account: string
  readonly name: string
  readonly isClosed?: true
}

const CHANNEL_LINE = 'open_form '
const MAX_FORMS = 10_000
const MAX_FORMS_OF_ACCOUNT = 50
const SWEEP_MS = 1000

/** Tells every server, this one included, of a form. It is not stored: a server that is started learns of it with the next announcement. */
export const notifyForm = async (db: Queryable, form: OpenForm): Promise<void> => {
  await sql`select pg_notify('homeroom_record', ${CHANNEL_LINE + JSON.stringify(form)})`.execute(db)
}

/** The forms that people have open at any server. Each is forgotten unless it is announced again. */
export class OpenForms {
  readonly #forms = new Map<string, OpenForm & { readonly expiresAt: number }>()
  readonly #onChange: (changed: readonly OpenForm[] | 'announce') => void
  readonly #now: () => number
  #sweep: NodeJS.Timeout | undefined
  #announcedAt = 0

  constructor(now: () => Date, onChange: (changed: readonly OpenForm[] | 'announce') => void) {
    this.#now = () => now().getTime()
    this.#onChange = onChange
  }

  close(): void {
    clearInterval(this.#sweep)
  }

  /** Applies the notifications about forms among these. */
  apply(lines: readonly string[]): void {
    const changed: OpenForm[] = []
    for (const line of lines) {
      if (!line.startsWith(CHANNEL_LINE)) continue
      const form = JSON.parse(line.slice(CHANNEL_LINE.length)) as OpenForm
      const known = this.#forms.get(form.form)
      // A key belongs to whoever announced it first.
      if (known && known.account !== form.account) continue
      if (form.isClosed) this.#forms.delete(form.form)
      else if (known || this.#hasRoom(form.account)) this.#forms.set(form.form, { ...form, expiresAt: this.#now() + FORM_EXPIRES_MS })
      if (known?.record === form.record && !form.isClosed) continue
      changed.push(...(known ? [known, form] : [form]))
    }
    if (changed.length > 0) this.#onChange(changed)
    if (this.#forms.size > 0) this.#sweep ??= setInterval(() => this.#deleteExpired(), SWEEP_MS).unref()
  }

  #hasRoom(account: string): boolean {
    return this.#forms.size < MAX_FORMS && this.listFormsOf(account).length < MAX_FORMS_OF_ACCOUNT
  }

  #deleteExpired(): void {
    const now = this.#now()
    const gone = [...this.#forms.values()].filter(({ expiresAt }) => expiresAt <= now)
    for (const { form } of gone) this.#forms.delete(form)
    if (gone.length > 0) this.#onChange(gone)
    if (now - this.#announcedAt >= ANNOUNCE_MS) {
      this.#announcedAt = now
      this.#onChange('announce')
    }
    if (this.#forms.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  listFormsOf(account: string): readonly OpenForm[] {
    return [...this.#forms.values()].filter((form) => form.account === account)
  }

  /** The names of the people who have a form of a record open, except one account. */
  listEditors(record: string, account: string): string[] {
    const others = [...this.#forms.values()].filter((form) => form.record === record && form.account !== account)
    return [...new Map(others.map((form) => [form.account, form.name])).values()].toSorted()
  }

  find(form: string): OpenForm | undefined {
    return this.#forms.get(form)
  }
}
