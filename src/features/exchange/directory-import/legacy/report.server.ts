import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

import { toCsv } from '../delimited.ts'
import { ImportMistake } from '../mistake.ts'
import type { Finding } from './findings.ts'

const COLUMNS = ['what', 'file', 'kind', 'record', 'name', 'field', 'value', 'stored', 'why'] as const satisfies readonly (keyof Finding)[]
const LETTERS_AT_ONCE = 65_536

/** Writes every finding as a line of a CSV file. */
export const writeFindings = async (path: string, findings: readonly Finding[]): Promise<void> => {
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(path, 'w')
    try {
      // The mark makes Excel read the file as UTF-8.
      let waiting = `\uFEFF${toCsv([...COLUMNS])}`
      for (const finding of findings) {
        waiting += toCsv(COLUMNS.map((column) => finding[column]))
        if (waiting.length > LETTERS_AT_ONCE) {
          await file.write(waiting)
          waiting = ''
        }
      }
      await file.write(waiting)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new ImportMistake(`The report cannot be written to ${path}: ${(error as Error).message}`)
  }
}
