import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

import { toCsv } from '../../../../platform/server/delimited.ts'
import { ImportError } from '../import-error.ts'
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
const CHUNK_LENGTH = 65_536

export const writeFindings = async (path: string, findings: readonly ImportFinding[]): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'w')
    try {
      // The byte order mark makes Excel read the file as UTF-8.
      let buffer = `\uFEFF${toCsv(Object.keys(COLUMNS))}`
      for (const finding of findings) {
        buffer += toCsv(Object.values(COLUMNS).map((property) => finding[property]))
        if (buffer.length > CHUNK_LENGTH) {
          await file.write(buffer)
          buffer = ''
        }
      }
      await file.write(buffer)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new ImportError(`The report cannot be written to ${path}: ${(error as Error).message}`)
  }
}
