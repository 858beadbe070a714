import { formatCell } from './raw-values.ts'

/**
 * Why a value is not stored unchanged: `no place`: we have no such field; `changed`: stored in another form; `refused`: nothing or a default is
 * stored instead; `not placed`: a whole record that is not stored; `missing`: it refers to a record that does not exist; `differs`: another file has
 * another value, which is used; `kept`: someone has edited the field here; `gone`: only an earlier folder had the record.
 */
export const FINDING_TYPES = ['no place', 'changed', 'refused', 'not placed', 'missing', 'differs', 'kept', 'gone'] as const
export type FindingType = (typeof FINDING_TYPES)[number]

/** One line of the report. */
export interface ImportFinding extends RecordRef {
  readonly field: string
  readonly type: FindingType
  readonly value: string
  readonly stored: string
  readonly reason: string
}

/** The record a finding is about. */
export interface RecordRef {
  readonly file: string
  readonly kind: string
  readonly recordId: string
  readonly name: string
}

export class Findings {
  readonly all: ImportFinding[] = []

  add(
    { file, kind, recordId, name }: RecordRef,
    field: string,
    type: FindingType,
    { value, stored, reason = '' }: { value?: unknown; stored?: unknown; reason?: string },
  ): void {
    this.all.push({ file, kind, recordId, name, field, type, value: formatCell(value), stored: formatCell(stored), reason })
  }
}

/** The number of findings by type, record kind and field: the summary of the report. */
export const countFindings = (findings: readonly ImportFinding[]): ReadonlyMap<FindingType, ReadonlyMap<string, number>> => {
  const counts = new Map<FindingType, Map<string, number>>()
  for (const type of FINDING_TYPES) {
    const fields = new Map<string, number>()
    for (const finding of findings) {
      if (finding.type !== type) continue
      const field = `${finding.kind} ${finding.field}`.trim()
      fields.set(field, (fields.get(field) ?? 0) + 1)
    }
    if (fields.size > 0) counts.set(type, fields)
  }
  return counts
}
