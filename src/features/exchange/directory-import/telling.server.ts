import { ImportMistake } from './mistake.ts'

export const WAITING = 'Another import is running; this one begins when it has ended'
const EVERY_MS = 3000

/** A moment as a part of a file's name. */
export const stamp = (moment: Date): string => moment.toISOString().replace(/[:.]/g, '-')

export const checkStop = (stop: AbortSignal, dryRun: boolean): void => {
  if (stop.aborted) throw new ImportMistake(dryRun ? 'Stopped' : 'Stopped; nothing was written')
}

/** Tells the person how far it is: one line rewritten on a terminal, a line every few seconds elsewhere. */
export class Told {
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

  lines(lines: readonly string[]): void {
    this.end()
    for (const line of lines) this.#out.write(`${line}\n`)
  }

  readonly read = (rows: number): void => this.#progress(`Reading: ${rows.toLocaleString('en-US')} rows`)

  readonly written = (rows: number, of: number): void => {
    const percent = of === 0 ? 100 : Math.floor((rows / of) * 100)
    this.#progress(`Writing: ${rows.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} rows, ${percent}%`)
  }

  readonly waiting = (): void => void this.#out.write(`${WAITING}\n`)
  readonly checkStop = (): void => checkStop(this.#stop, this.#dryRun)

  /** Ends a line that is being rewritten. */
  end(): void {
    if (this.#open) this.#out.write('\n')
    this.#open = false
  }

  #progress(text: string): void {
    if (this.#out.isTTY) {
      this.#out.write(`\r\u001B[K${text}`)
      this.#open = true
    } else if (Date.now() - this.#last > EVERY_MS) {
      this.#last = Date.now()
      this.#out.write(`${text}\n`)
    }
  }
}
