import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'

import { toCsv } from './delimited.ts'
import { ImportError } from './import-error.ts'

/** A report of an import as a CSV file, written row by row. The file is created with the first row. */
export class CsvReport {
  readonly #path: string
  readonly #header: readonly string[]
  #file: FileHandle | undefined
  #waiting = ''

  constructor(path: string, header: readonly string[]) {
    this.#path = path
    this.#header = header
  }

  async add(cells: readonly (string | number)[]): Promise<void> {
    await this.open()
    this.#waiting += toCsv(cells)
    if (this.#waiting.length > 65_536) await this.#write()
  }

  /** Creates the file now, even if there will be no row: for a report that was explicitly requested. */
  async open(): Promise<void> {
    if (this.#file) return
    try {
      await mkdir(dirname(this.#path), { recursive: true })
      this.#file = await open(this.#path, 'w')
    } catch (error) {
      throw new ImportError(`The report cannot be written to ${this.#path}: ${(error as Error).message}`)
    }
    // The byte order mark makes Excel read the file as UTF-8.
    this.#waiting = `\uFEFF${toCsv(this.#header)}`
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

interface ReportedImport {
  readonly path: string
  readonly report: { readonly path: string } | undefined
}
/** Refuses a report that would overwrite the imported file. */
export const assertReportIsOtherFile = async ({ path, report }: ReportedImport): Promise<void> => {
  const real = (one: string): Promise<string> => realpath(one).catch(() => one)
  if (report && (await real(report.path)) === (await real(path)))
    throw new ImportError('The report would overwrite the file that is imported; name another with --report')
}
