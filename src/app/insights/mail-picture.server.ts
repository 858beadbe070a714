import { createRequire } from 'node:module'

import type Sharp from 'sharp'

import type { Insight, InsightSeries } from './contract.ts'
import {
  createDayNames,
  createTickNames,
  findBefore,
  formatChange,
  formatShort,
  getLast,
  getLeastMaximum,
  getStep,
  listDays,
} from './format.ts'

/** The sheet of a mail is 600 pixels wide, with 32 at each side. */
export const PICTURE_WIDTH = 536
/** Pixels of the picture for each pixel of the mail, for sharp screens. */
const SCALE = 2
const MAX_ROWS = 8
const MAX_LINES = 5

const INK = '#1E1C1A'
const MUTED = '#645F57'
const HAIRLINE = '#E8E4DE'
const BEFORE = '#8C867C'
/** The colors of the page in light mode. */
const COLORS = ['#2E4FBC', '#BF8712', '#5B7FE5', '#144E2C', '#8C867C', '#1E1C1A'] as const
const getColor = (at: number): string => COLORS[at % COLORS.length] ?? INK

interface Drawing {
  readonly svg: string
  readonly height: number
}

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[letter] ?? '').replaceAll(/\p{Cc}/gu, '')

const LETTER_WIDTH = 7
const estimateWidth = (text: string): number => text.length * LETTER_WIDTH
const fitText = (text: string, width: number): string => {
  const letters = Math.floor(width / LETTER_WIDTH)
  return text.length <= letters ? text : `${text.slice(0, letters - 1).trimEnd()}…`
}

const drawText = (x: number, y: number, text: string, { color = MUTED, anchor = 'start', weight = 400 } = {}): string =>
  `<text x="${x}" y="${y}" font-family="Inter" font-size="13" font-weight="${weight}" fill="${color}" text-anchor="${anchor}">${escapeXml(text)}</text>`

const VALUE = { color: INK, weight: 600 }

const drawRanks = ({ series, unit, compared }: Insight): Drawing => {
  const rows = series.slice(0, MAX_ROWS).map((one) => {
    const old = findBefore(compared?.series, one)
    const change = old && old.points.length > 0 ? formatChange(getLast(one) - getLast(old), unit) : ''
    return { label: one.label, value: getLast(one), text: `${formatShort(getLast(one), unit)}${change && ` (${change})`}` }
  })
  const names = Math.min(Math.max(...rows.map(({ label }) => estimateWidth(label))), 210)
  const [most, least] = [Math.max(...rows.map(({ value }) => value), 1), Math.min(...rows.map(({ value }) => value), 0)]
  const room = PICTURE_WIDTH - names - 12 - Math.max(...rows.map(({ text }) => estimateWidth(text))) - 12
  const drawn = rows.map(({ label, value, text }, at) => {
    const zero = names + 12 + (-least / (most - least)) * room
    const [y, width] = [at * 30, (Math.abs(value) / (most - least)) * room]
    const end = value < 0 ? zero : zero + width
    return `${drawText(0, y + 20, fitText(label, names + LETTER_WIDTH))}<rect x="${end - width}" y="${y + 6}" width="${width}" height="18" rx="3" fill="${getColor(0)}"/>${drawText(end + 8, y + 20, text, VALUE)}`
  })
  return { svg: drawn.join(''), height: rows.length * 30 }
}

const PLOT_HEIGHT = 170
const TOP = 24

const drawBars = ({ series, unit }: Insight): Drawing => {
  const days = listDays(series)
  const shown = series.slice(0, COLORS.length)
  const [first] = shown
  const key = shown.length === 1 ? [] : shown
  const top = TOP + key.length * 20
  const values = days.map((day) => shown.map(({ points }) => points.find(({ on }) => on === day)?.value ?? 0))
  const most = Math.max(...values.map((ofDay) => ofDay.reduce((sum, value) => sum + value, 0)), 1)
  const slot = PICTURE_WIDTH / days.length
  const [width, bottom] = [Math.min(slot * 0.7, 70), top + PLOT_HEIGHT]
  const step = getStep(days)
  const nameDay = createDayNames({ chart: 'bars', series })
  const nameTick = step === 'month' ? createTickNames(days) : nameDay
  const every = Math.ceil(days.length / 10)
  const drawn = days.map((day, at) => {
    let y = bottom
    const x = slot * (at + 0.5)
    const bars = (values[at] ?? []).map((value, series_) => {
      const height = (value / most) * PLOT_HEIGHT
      y -= height
      return `<rect x="${x - width / 2}" y="${y}" width="${width}" height="${height}" fill="${getColor(series_)}"/>`
    })
    const total = (values[at] ?? []).reduce((sum, value) => sum + value, 0)
    const text = formatShort(total, unit)
    const label = (days.length - 1 - at) % every === 0 ? drawText(x, bottom + 18, nameTick(day), { anchor: 'middle' }) : ''
    return `${bars.join('')}${estimateWidth(text) < slot ? drawText(x, y - 6, text, { ...VALUE, anchor: 'middle' }) : ''}${label}`
  })
  const names = key.map(
    ({ label }, at) =>
      `<rect y="${at * 20 + 2}" width="12" height="12" rx="3" fill="${getColor(at)}"/>${drawText(20, at * 20 + 13, fitText(label, PICTURE_WIDTH - 20))}`,
  )
  const line = `<path d="M0 ${bottom}H${PICTURE_WIDTH}" stroke="${HAIRLINE}"/>`
  return { svg: first ? `${names.join('')}${line}${drawn.join('')}` : '', height: bottom + 26 }
}

interface Line {
  readonly name: string
  readonly value: string
  readonly color: string
  readonly isDashed: boolean
  readonly points: readonly { readonly at: number; readonly value: number }[]
}

const toPoints = ({ points }: InsightSeries, begin: string) =>
  points.map(({ on, value }) => ({ at: Date.parse(on) - Date.parse(begin), value }))

const drawLines = ({ series, unit, compared, from }: Insight): Drawing => {
  const shown = series.slice(0, MAX_LINES)
  const [only] = shown
  const old = only && series.length === 1 ? findBefore(compared?.series, only) : undefined
  const lines: Line[] = [
    ...shown.map((one, at) => ({
      name: series.length === 1 ? 'Now' : one.label,
      value: formatShort(getLast(one), unit),
      color: getColor(at),
      isDashed: false,
      points: toPoints(one, from),
    })),
    ...(old && compared && old.points.length > 0
      ? [{ name: 'Before', value: formatShort(getLast(old), unit), color: BEFORE, isDashed: true, points: toPoints(old, compared.from) }]
      : []),
  ]
  const all = lines.flatMap(({ points }) => points)
  const [most, length] = [Math.max(...all.map(({ value }) => value), getLeastMaximum(unit)), Math.max(...all.map(({ at }) => at), 1)]
  const right = PICTURE_WIDTH - Math.min(Math.max(...lines.map(({ name, value }) => estimateWidth(`${name} ${value}`))), 200) - 14
  const bottom = TOP + PLOT_HEIGHT
  const getX = (at: number): number => (at / length) * right
  const getY = (value: number): number => bottom - (value / most) * PLOT_HEIGHT
  const days = listDays(series)
  const ticks = days.filter((_, at) => (days.length - 1 - at) % Math.ceil(days.length / 6) === 0)
  const nameTick = createTickNames(ticks)
  let free = bottom
  const names = lines
    .map((line) => ({ ...line, y: getY(line.points.at(-1)?.value ?? 0) }))
    .toSorted((a, b) => b.y - a.y)
    .map(({ name, value, color, y }) => {
      const placed = Math.min(y, free)
      free = placed - 17
      const text = `${fitText(name, PICTURE_WIDTH - right - estimateWidth(` ${value}`))} ${value}`
      return drawText(right + 10, placed + 4, text, { color: color === BEFORE ? MUTED : INK, weight: 600 })
    })
  const paths = lines.map(
    ({ points, color, isDashed }) =>
      `<path d="M${points.map(({ at, value }) => `${getX(at).toFixed(1)} ${getY(value).toFixed(1)}`).join('L')}" fill="none" stroke="${color}" stroke-width="2.5" stroke-linejoin="round"${isDashed ? ' stroke-dasharray="3 4"' : ''}/>`,
  )
  const dots = lines.map(({ points, color }) => {
    const last = points.at(-1)
    return last ? `<circle cx="${getX(last.at)}" cy="${getY(last.value)}" r="4" fill="${color}"/>` : ''
  })
  // A zero would be covered by lines close to it.
  const hairlines = [0, most].map(
    (value) =>
      `<path d="M0 ${getY(value)}H${right}" stroke="${HAIRLINE}"/>${value === 0 ? '' : drawText(0, getY(value) - 4, formatShort(value, unit))}`,
  )
  const labels = ticks.map((day) => {
    const x = getX(Date.parse(day) - Date.parse(from))
    return drawText(x, bottom + 18, nameTick(day), { anchor: x < 20 ? 'start' : x > right - 20 ? 'end' : 'middle' })
  })
  return { svg: [...hairlines, ...labels, ...paths.toReversed(), ...dots, ...names].join(''), height: bottom + 26 }
}

/** A mail in the dark shows the white picture in a frame. */
const MARGIN = 12

const DRAWINGS: Partial<Record<Insight['chart'], (insight: Insight) => Drawing>> = {
  lines: drawLines,
  areas: drawLines,
  bars: drawBars,
  ranks: drawRanks,
}

let loading: Promise<typeof Sharp> | undefined
/** Reading a font with a text makes it known to all pictures of the process. */
const loadFonts = async (): Promise<typeof Sharp> => {
  const { default: sharp } = await import('sharp')
  const { resolve } = createRequire(import.meta.url)
  for (const file of ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'])
    await sharp({ text: { text: 'A', font: 'Inter 12', fontfile: resolve(`@expo-google-fonts/inter/${file}`) } })
      .png()
      .toBuffer()
  return sharp
}

/** An insight as PNG, for a mail; null for one without a picture, such as a map. */
export const drawMailPicture = async (insight: Insight): Promise<{ readonly png: Buffer; readonly height: number } | null> => {
  const draw = DRAWINGS[insight.chart]
  if (!draw || insight.series.every(({ points }) => points.length === 0)) return null
  const { svg, height } = draw(insight)
  loading ??= loadFonts()
  const sharp = await loading
  const box = { width: PICTURE_WIDTH + 2 * MARGIN, height: Math.ceil(height) + 2 * MARGIN }
  const shown = Math.ceil((box.height * PICTURE_WIDTH) / box.width)
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH * SCALE}" height="${shown * SCALE}" viewBox="${-MARGIN} ${-MARGIN} ${box.width} ${box.height}"><rect x="${-MARGIN}" y="${-MARGIN}" width="${box.width}" height="${box.height}" fill="#FFFFFF"/>${svg}</svg>`
  return { png: await sharp(Buffer.from(image)).png({ palette: true }).toBuffer(), height: shown }
}
