import { inACell } from './shapes.ts'

/**
 * What became of a value that is not stored as the folder has it:
 * `no place`: no field of ours holds it; `changed`: stored in another form; `refused`: nothing or a default is stored in its stead;
 * `not placed`: a whole record that is not stored; `missing`: it points at a record that is nowhere; `differs`: another file says otherwise, and is
 * followed; `kept`: somebody edited the field here since; `gone`: an earlier folder had the record.
 */
export const WHATS = ['no place', 'changed', 'refused', 'not placed', 'missing', 'differs', 'kept', 'gone'] as const
export type What = (typeof WHATS)[number]

/** One line of the report. */
export interface Finding {
  readonly file: string
  readonly kind: string
  readonly record: string
  readonly name: string
  readonly field: string
  readonly what: What
  readonly value: string
  readonly stored: string
  readonly why: string
}

/** Which record a finding is about. */
export interface About {
  readonly file: string
  readonly kind: string
  readonly record: string
  readonly name: string
}

export class Findings {
  readonly all: Finding[] = []

  add(about: About, field: string, what: What, { value, stored, why = '' }: { value?: unknown; stored?: unknown; why?: string }): void {
    const { file, kind, record, name } = about
    this.all.push({ file, kind, record, name, field, what, value: inACell(value), stored: inACell(stored), why })
  }
}

/** How often each thing was found, by what it is, kind of record and field: the report in short. */
export const countsOf = (findings: readonly Finding[]): ReadonlyMap<What, ReadonlyMap<string, number>> => {
  const counts = new Map<What, Map<string, number>>()
  for (const what of WHATS) {
    const fields = new Map<string, number>()
    for (const found of findings) {
      if (found.what !== what) continue
      const field = `${found.kind} ${found.field}`.trim()
      fields.set(field, (fields.get(field) ?? 0) + 1)
    }
    if (fields.size > 0) counts.set(what, fields)
  }
  return counts
}
