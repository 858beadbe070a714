import { CsvReport } from '../../../platform/server/csv-report.ts'
import type { ImportFinding } from './findings.ts'

/** The columns of the report and the property each shows. */
const COLUMNS = {
  what: 'type',
  file: 'file',
  kind: 'kind',
  record: 'recordId',
  name: 'name',
  field: 'field',
  value: 'value',
  stored: 'stored',
  why: 'reason',
} as const satisfies Record<string, keyof ImportFinding>

export const writeFindings = async (path: string, findings: readonly ImportFinding[]): Promise<void> => {
  const report = new CsvReport(path, Object.keys(COLUMNS))
  try {
    await report.open()
    for (const finding of findings) await report.add(Object.values(COLUMNS).map((property) => finding[property]))
  } finally {
    await report.close()
  }
}
