import { readFile, writeFile } from 'node:fs/promises'

import { replaceMarkedSection } from '../test/support/marked-section.ts'

/** One line of the benchmark's table: what was measured, its value and its target. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: '%' | 'MB' | 'kB' | 'ms' | 'times'
  readonly target: number
  /** Whether the value must be at least or at most the target. */
  readonly must: 'at least' | 'at most'
  readonly size: string
  readonly note: string
}

/** The results of `npm run bench -- --write`, as stored in `bench/figures.json` and shown in docs/developers/performance.md. */
export interface RecordedBenchmark {
  /** The day it ran, `YYYY-MM-DD`. */
  readonly on: string
  readonly cores: number
  readonly figures: readonly Figure[]
}

const FIGURES = new URL('figures.json', import.meta.url)
const PAGE = new URL('../docs/developers/performance.md', import.meta.url)
const SIZING_PAGE = new URL('../docs/operators/sizing.md', import.meta.url)

/** Numbers below 10 with two decimals, others without. */
const formatValue = (value: number, unit: Figure['unit']): string => {
  const text = value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 })
  return unit === 'times' ? `${text} times` : `${text} ${unit}`
}

export const isMet = ({ value, target, must }: Figure): boolean => (must === 'at least' ? value >= target : value <= target)

/** The table of docs/developers/performance.md: a line per measurement, a column per network size; values that miss their target are bold. */
export const formatFigures = ({ on, cores, figures }: RecordedBenchmark): string => {
  const sizes = [...new Set(figures.map(({ size }) => size))]
  const cell = (figure: Figure | undefined): string => {
    if (!figure) return ''
    const value = formatValue(figure.value, figure.unit)
    return `${isMet(figure) ? value : `**${value}**`}<br>${figure.note}`
  }
  const rows = [...new Set(figures.map(({ what }) => what))].map((what) => {
    const ofLine = figures.filter((figure) => figure.what === what)
    const target = ofLine.map(({ must, target: value, unit }) => `${must} ${formatValue(value, unit)}`)[0] ?? ''
    return `| ${[what, ...sizes.map((size) => cell(ofLine.find((figure) => figure.size === size))), target].join(' | ')} |`
  })
  const unmet = figures.filter((figure) => !isMet(figure)).length
  return [
    `| What | ${sizes.join(' | ')} | Wanted |`,
    `|${'---|'.repeat(sizes.length + 2)}`,
    ...rows,
    '',
    `${on}, ${cores} cores; ${unmet === 0 ? 'all were met' : `**${unmet} of ${figures.length} were not met**`}.`,
  ].join('\n')
}

/** The name of the measurement that every network size has. */
const MEMORY = 'Memory after load'
/** The measurements relevant for sizing: the value of these, and the absolute rate of those that are ratios. */
const SIZING = [MEMORY, 'Second start', 'First search after the start', 'A phone number saved', 'Search for a person'] as const

/** The table of docs/operators/sizing.md. */
export const formatSizing = ({ on, cores, figures }: RecordedBenchmark): string => {
  const sizes = figures.filter(({ what }) => what === MEMORY).map(({ size }) => size)
  const cell = (what: string, size: string): string => {
    const figure = figures.find((one) => one.what === what && one.size === size)
    if (!figure) return ''
    return figure.unit === '%' ? `${figure.note.split('/s')[0]} a second` : formatValue(figure.value, figure.unit)
  }
  return [
    `| What | ${sizes.join(' | ')} |`,
    `|${'---|'.repeat(sizes.length + 1)}`,
    ...SIZING.map((what) => `| ${[what, ...sizes.map((size) => cell(what, size))].join(' | ')} |`),
    '',
    `${on}, ${cores} cores.`,
  ].join('\n')
}

export const saveFigures = async (benchmark: RecordedBenchmark): Promise<void> => {
  await writeFile(FIGURES, `${JSON.stringify(benchmark, null, 2)}\n`)
  await writeFile(PAGE, replaceMarkedSection(await readFile(PAGE, 'utf8'), 'bench', formatFigures(benchmark)))
  await writeFile(SIZING_PAGE, replaceMarkedSection(await readFile(SIZING_PAGE, 'utf8'), 'sizing', formatSizing(benchmark)))
}
