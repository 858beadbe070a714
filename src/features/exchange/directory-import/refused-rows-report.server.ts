import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'

import { toCsv } from '../../../platform/server/delimited.ts'
import { ImportError } from './import-error.ts'

export interface RefusedRow {
  readonly line: number
  readonly id: string
  readonly reasons: readonly string[]
  /** The original cells, so that a row can be corrected and imported from the report itself. */
  readonly cells: readonly string[]
}

/** The refused rows as a CSV file, written row by row. The file is created when the first row is refused. */
export class RefusedRowsReport {
  readonly #path: string
  readonly #header: readonly string[]
  #file: FileHandle | undefined
  #waiting = ''

  constructor(path: string, header: readonly string[]) {
    this.#path = path
    this.#header = header
  }

  async add({ line, id, reasons, cells }: RefusedRow): Promise<void> {
    await this.open()
    this.#waiting += toCsv([line, id, reasons.join('; '), ...cells])
    if (this.#waiting.length > 65_536) await this.#write()
  }

  /** Creates the file now, even if no row is refused: for a report that was explicitly requested. */
  async open(): Promise<void> {
    if (this.#file) return
    try {
      await mkdir(dirname(this.#path), { recursive: true })
      this.#file = await open(this.#path, 'w')
    } catch (error) {
      throw new ImportError(`The report cannot be written to ${this.#path}: ${(error as Error).message}`)
    }
    // The byte order mark makes Excel read the file as UTF-8.
    this.#waiting = `\uFEFF${toCsv(['line', 'refused id', 'reason', ...this.#header])}`
  }

  async close(): Promise<void> {
    if (!this.#file) return
    await this.#write()
    await this.#file.close()
    this.#file = undefined
  }

  async #write(): Promise<void> {
    const text = this.#waiting
    this.#waiting = ''
    try {
      await this.#file?.write(text)
    } catch (error) {
      throw new ImportError(`The report cannot be written to ${this.#path}: ${(error as Error).message}`)
    }
  }
}

/** Whether two paths lead to the same file, so that a report never overwrites the imported file. */
export const isSameFile = async (one: string, other: string): Promise<boolean> => {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path)
  return (await real(one)) === (await real(other))
}
