import { ImportError } from './import-error.ts'

export const WAITING_MESSAGE = 'Another import is running; this one begins when it has ended'
const PROGRESS_INTERVAL_MS = 3000

/** A moment as part of a file name. */
export const toFileTimestamp = (moment: Date): string => moment.toISOString().replace(/[:.]/g, '-')

export const throwIfStopped = (stop: AbortSignal, dryRun: boolean): void => {
  if (stop.aborted) throw new ImportError(dryRun ? 'Stopped' : 'Stopped; nothing was written')
}

/** Reports progress: one line that is rewritten on a terminal, a line every few seconds elsewhere. */
export class ProgressReporter {
  readonly #out: NodeJS.WriteStream
  readonly #stop: AbortSignal
  readonly #dryRun: boolean
  #last = Date.now()
  #open = false

  constructor(out: NodeJS.WriteStream, stop: AbortSignal, dryRun: boolean) {
    this.#out = out
    this.#stop = stop
    this.#dryRun = dryRun
  }

  writeLines(lines: readonly string[]): void {
    this.endLine()
    for (const line of lines) this.#out.write(`${line}\n`)
  }

  readonly onRead = (rows: number): void => this.#progress(`Reading: ${rows.toLocaleString('en-US')} rows`)

  readonly onWritten = (rows: number, of: number): void => {
    const percent = of === 0 ? 100 : Math.floor((rows / of) * 100)
    this.#progress(`Writing: ${rows.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} rows, ${percent}%`)
  }

  readonly onWaiting = (): void => void this.#out.write(`${WAITING_MESSAGE}\n`)
  readonly throwIfStopped = (): void => throwIfStopped(this.#stop, this.#dryRun)

  /** Ends a line that is being rewritten. */
  endLine(): void {
    if (this.#open) this.#out.write('\n')
    this.#open = false
  }

  #progress(text: string): void {
    if (this.#out.isTTY) {
      this.#out.write(`\r\u001B[K${text}`)
      this.#open = true
    } else if (Date.now() - this.#last > PROGRESS_INTERVAL_MS) {
      this.#last = Date.now()
      this.#out.write(`${text}\n`)
    }
  }
}
