import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { withMarked } from './marked-section.ts'

/** One counted or measured thing: what it is, what it came to, and what it must be (null for a figure that is only told). */
export interface Figure {
  readonly what: string
  readonly value: string
  readonly wanted: string | null
}

/** What a proof printed last, as kept in `test/figures/{name}.json` and shown in `docs/developers/proofs.md`. */
export interface Recorded {
  /** The day it ran, `YYYY-MM-DD`. */
  readonly on: string
  readonly cores: number
  readonly seconds: number
  /** What it was told besides `--write`, which makes it smaller than a whole run. */
  readonly options?: string
  readonly figures: readonly Figure[]
}

/** What a proof counts and measures. A wish that is not met is printed at once and fails the proof at its end, so that the others are still seen. */
export interface Proof {
  /** Tells what goes on; kept nowhere. */
  readonly say: (line: string) => void
  /** A figure without a wish: how much was tried, how large the data was. */
  readonly tell: (what: string, value: number | string) => void
  readonly mustBe: (what: string, value: number, wanted: number) => void
  readonly atMost: (what: string, value: number, most: number, unit?: string) => void
  readonly atLeast: (what: string, value: number, least: number, unit?: string) => void
}

/** Thrown where something of the machine is missing: the proof ends well, says why in one plain line, and records nothing. */
export class LeftOut extends Error {}

const FOLDER = fileURLToPath(new URL('../figures/', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/developers/proofs.md', import.meta.url))

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const plain = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 })
const withUnit = (value: number, unit: string): string => (unit === '' ? plain(value) : `${plain(value)} ${unit}`)

/** Runs the proof `name`, prints what it counts, and ends the process with 1 where a wish was not met. `--write` records it. */
export const prove = async (name: string, work: (proof: Proof) => Promise<void>): Promise<never> => {
  const figures: Figure[] = []
  let unmet = 0
  const add = (what: string, value: string, wanted: string | null, isMet: boolean): void => {
    figures.push({ what, value, wanted })
    if (!isMet) unmet++
    say(`${isMet ? '  ok ' : 'FAIL '} ${what}: ${value}${wanted === null ? '' : ` (wanted: ${wanted})`}`)
  }
  const started = Date.now()
  try {
    await work({
      say,
      tell: (what, value) => add(what, typeof value === 'number' ? plain(value) : value, null, true),
      mustBe: (what, value, wanted) => add(what, plain(value), plain(wanted), value === wanted),
      atMost: (what, value, most, unit = '') => add(what, withUnit(value, unit), `at most ${withUnit(most, unit)}`, value <= most),
      atLeast: (what, value, least, unit = '') => add(what, withUnit(value, unit), `at least ${withUnit(least, unit)}`, value >= least),
    })
  } catch (error) {
    if (error instanceof LeftOut) {
      say(`Left out: ${error.message}`)
      process.exit(0)
    }
    say(`FAIL  it broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    process.exit(1)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  if (process.argv.includes('--write') && unmet === 0) {
    await mkdir(FOLDER, { recursive: true })
    const options = process.argv
      .slice(2)
      .filter((word) => word !== '--write')
      .join(' ')
    const recorded: Recorded = {
      on: new Date().toISOString().slice(0, 10),
      cores: availableParallelism(),
      seconds,
      ...(options === '' ? {} : { options }),
      figures,
    }
    await writeFile(`${FOLDER}${name}.json`, `${JSON.stringify(recorded, null, 2)}\n`)
    await writeFile(PAGE, withMarked(await readFile(PAGE, 'utf8'), name, tableOf(recorded)))
  }
  say(unmet === 0 ? `Proved: ${name}, in ${seconds} s` : `NOT proved: ${name}, ${unmet} of ${figures.length} wishes not met`)
  process.exit(unmet === 0 ? 0 : 1)
}

/** A table of figures as it stands in docs/developers/proofs.md. */
export const tableOf = ({ on, cores, seconds, options, figures }: Recorded): string =>
  [
    '| What | Came to | Wanted |',
    '|---|---|---|',
    ...figures.map(({ what, value, wanted }) => `| ${what} | ${value} | ${wanted ?? ''} |`),
    '',
    `${on}, ${cores} cores, ${seconds} s${options === undefined ? '' : `, with \`-- ${options}\``}.`,
  ].join('\n')
