import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { replaceMarkedSection } from './marked-section.ts'

/** One counted or measured value; `required` is null for a value that is only reported. */
export interface Figure {
  readonly name: string
  readonly value: string
  readonly required: string | null
}

/** The last recorded run of a proof, as stored in `test/figures/{name}.json` and shown in `docs/developers/proofs.md`. */
export interface RecordedProof {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly cores: number
  readonly seconds: number
  /** Options besides `--write`, which make a run smaller or larger. */
  readonly options?: string
  readonly figures: readonly Figure[]
}

/** Reports and checks figures. A failed check fails the proof only at its end, so that the other figures are still printed. */
export interface Proof {
  /** Prints progress; not recorded. */
  readonly log: (line: string) => void
  /** Records a figure without a requirement: how much was tried, how large the data was. */
  readonly report: (name: string, value: number | string) => void
  readonly expectEqual: (name: string, value: number, required: number) => void
  /** Requires that nothing of this kind was found; otherwise prints the first items. */
  readonly expectNone: (name: string, found: readonly string[]) => void
  readonly expectAtMost: (name: string, value: number, max: number, unit?: string) => void
  readonly expectAtLeast: (name: string, value: number, min: number, unit?: string) => void
}

/** Thrown if the machine lacks something that a proof needs: the proof then exits with 0, prints the reason, and records nothing. */
export class ProofSkipped extends Error {}

const FIGURES = fileURLToPath(new URL('../figures/', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/developers/proofs.md', import.meta.url))

const MAX_PRINTED = 20
const log = (line: string): void => void process.stdout.write(`${line}\n`)
const formatNumber = (value: number, unit = ''): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })}${unit === '' ? '' : ` ${unit}`}`

/** The numbers given on the command line as `--name 5`, or else these defaults. */
export const readNumberOptions = <Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> => {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ options: { ...options, write: { type: 'boolean' } } })
  return { ...defaults, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) }
}

/** Runs the proof `name`, prints its figures, and exits with 1 if a requirement is not met. `--write` records the figures. */
export const runProof = async (name: string, run: (proof: Proof) => Promise<void>): Promise<never> => {
  const figures: Figure[] = []
  let failures = 0
  const add = (figure: Figure, isMet: boolean): void => {
    figures.push(figure)
    if (!isMet) failures++
    log(`${isMet ? '  ok ' : 'FAIL '} ${figure.name}: ${figure.value}${figure.required === null ? '' : ` (required: ${figure.required})`}`)
  }
  const expectEqual: Proof['expectEqual'] = (figure, value, required) =>
    add({ name: figure, value: formatNumber(value), required: formatNumber(required) }, value === required)
  const started = Date.now()
  try {
    await run({
      log,
      report: (figure, value) =>
        add({ name: figure, value: typeof value === 'number' ? formatNumber(value) : value, required: null }, true),
      expectEqual,
      expectNone: (figure, found) => {
        for (const one of found.slice(0, MAX_PRINTED)) log(`      ${one}`)
        expectEqual(figure, found.length, 0)
      },
      expectAtMost: (figure, value, max, unit) =>
        add({ name: figure, value: formatNumber(value, unit), required: `at most ${formatNumber(max, unit)}` }, value <= max),
      expectAtLeast: (figure, value, min, unit) =>
        add({ name: figure, value: formatNumber(value, unit), required: `at least ${formatNumber(min, unit)}` }, value >= min),
    })
  } catch (error) {
    const isSkipped = error instanceof ProofSkipped
    log(isSkipped ? `Skipped: ${error.message}` : `FAIL  stopped by an error: ${error instanceof Error ? error.stack : String(error)}`)
    process.exit(isSkipped ? 0 : 1)
  }
  const seconds = Math.round((Date.now() - started) / 1000)
  if (process.argv.includes('--write') && failures === 0) {
    const options = process.argv.slice(2).filter((argument) => argument !== '--write')
    const recorded: RecordedProof = {
      date: new Date().toISOString().slice(0, 10),
      cores: availableParallelism(),
      seconds,
      ...(options.length === 0 ? {} : { options: options.join(' ') }),
      figures,
    }
    await mkdir(FIGURES, { recursive: true })
    await writeFile(`${FIGURES}${name}.json`, `${JSON.stringify(recorded, null, 2)}\n`)
    await writeFile(PAGE, replaceMarkedSection(await readFile(PAGE, 'utf8'), name, formatFigures(recorded)))
  }
  log(failures === 0 ? `Passed: ${name}, in ${seconds} s` : `FAILED: ${name}, ${failures} of ${figures.length} requirements not met`)
  process.exit(failures === 0 ? 0 : 1)
}

/** The table of a proof in docs/developers/proofs.md. */
export const formatFigures = ({ date, cores, seconds, options, figures }: RecordedProof): string =>
  [
    '| Measurement | Result | Required |',
    '|---|---|---|',
    ...figures.map(({ name, value, required }) => `| ${name} | ${value} | ${required ?? ''} |`),
    '',
    `${date}, ${cores} cores, ${seconds} s${options === undefined ? '' : `, with \`-- ${options}\``}.`,
  ].join('\n')
