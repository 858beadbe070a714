import { mkdir, writeFile } from 'node:fs/promises'

import { type Figure, isMet } from './figures.ts'

const PICTURES = new URL('../docs/pictures/', import.meta.url)
const ROW = 44
const LEFT = 320
const WIDTH = 420
const RIGHT = 220

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Bars on a common scale with a mark at the target. The colors are readable on a light and on a dark background. */
const renderChart = (title: string, figures: readonly Figure[], full: number): string => {
  const rows = figures.map((figure, at) => {
    const { what, size, value, unit, target, must } = figure
    const y = 48 + at * ROW
    const length = Math.max(2, Math.min(1, value / full) * WIDTH)
    const mark = LEFT + (target / full) * WIDTH
    return `<text x="${LEFT - 12}" y="${y + 14}" text-anchor="end" class="name">${escapeXml(what)}</text>
<text x="${LEFT - 12}" y="${y + 30}" text-anchor="end" class="size">${escapeXml(size)}</text>
<rect x="${LEFT}" y="${y + 4}" width="${WIDTH}" height="24" rx="4" class="ground"/>
<rect x="${LEFT}" y="${y + 4}" width="${length.toFixed(1)}" height="24" rx="4" class="${isMet(figure) ? 'good' : 'bad'}"/>
<path d="M${mark.toFixed(1)} ${y}v32" class="mark"/>
<text x="${LEFT + WIDTH + 12}" y="${y + 22}" class="value">${value} ${unit === '%' ? '%' : unit} (${must} ${target})</text>`
  })
  const height = 48 + figures.length * ROW + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + RIGHT} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text{font:14px -apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:#5b6470}
.title{font-weight:700;font-size:16px}
.size{font-size:12px}
.ground{fill:#8884}
.good{fill:#3f64d6}
.bad{fill:#b0362a}
.mark{stroke:#888;stroke-width:2;stroke-dasharray:4 3}
@media (prefers-color-scheme:dark){text{fill:#c3c9d1}}
</style>
<text x="0" y="20" class="title">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`
}

/** The charts of docs/developers/performance.md: each shows the figures of one unit, up to `full`. */
const CHARTS: readonly { readonly file: string; readonly title: string; readonly unit: Figure['unit']; readonly full: number }[] = [
  { file: 'bench-ratios', title: 'Share of what a bare server, or the same SQL alone, answers', unit: '%', full: 100 },
  { file: 'bench-memory', title: 'The server’s memory after load', unit: 'MB', full: 300 },
  { file: 'bench-browser', title: 'In the browser: JavaScript of the first page', unit: 'kB', full: 200 },
  { file: 'bench-keystroke', title: 'In the browser: one letter in a list’s filter', unit: 'ms', full: 60 },
  { file: 'bench-growth', title: 'What ten times the people cost', unit: 'times', full: 3 },
]

export const drawCharts = async (figures: readonly Figure[]): Promise<void> => {
  await mkdir(PICTURES, { recursive: true })
  for (const { file, title, unit, full } of CHARTS) {
    const shown = figures.filter((figure) => figure.unit === unit)
    await writeFile(new URL(`${file}.svg`, PICTURES), renderChart(title, shown, full))
  }
}
