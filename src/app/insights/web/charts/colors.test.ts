import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { cssVariablesResolver, theme } from '../../../../platform/web/theme.ts'

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

/** How colors look with normal color vision, and with each kind of color blindness (Machado, Oliveira and Fernandes 2009). */
const VISIONS: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const product = (row: Triple, [r, g, b]: Triple): number => row[0] * r + row[1] * g + row[2] * b
const multiply = ([a, b, c]: Matrix, color: Triple): Triple => [product(a, color), product(b, color), product(c, color)]

const readChannel = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const toLinear = (hex: string): Triple => [readChannel(hex, 1), readChannel(hex, 3), readChannel(hex, 5)]

const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const toOklab = (color: Triple): Triple => {
  const [l, m, s] = multiply(TO_CONES, color)
  return multiply(TO_OKLAB, [Math.cbrt(Math.max(l, 0)), Math.cbrt(Math.max(m, 0)), Math.cbrt(Math.max(s, 0))])
}

/** The least distance of two colors for anyone. */
const getDistance = (one: string, other: string): number =>
  Math.min(
    ...Object.values(VISIONS).map((vision) => {
      const [a, b] = [toOklab(multiply(vision, toLinear(one))), toOklab(multiply(vision, toLinear(other)))]
      return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
    }),
  )

const getLuminance = (hex: string): number => product([0.2126, 0.7152, 0.0722], toLinear(hex))
const getContrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [getLuminance(one), getLuminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const style = readFileSync(new URL('Charts.module.css', import.meta.url), 'utf8')

/** A value of the style sheet as a color: `var(--mantine-color-ink-7)` or a hexadecimal number. */
const toHex = (value: string): string => {
  const [, name = '', shade = ''] = /--mantine-color-(\w+)-(\d)/.exec(value) ?? []
  const hex = name === '' ? value.trim() : theme.colors?.[name]?.[Number(shade)]
  if (hex === undefined || !/^#[\da-f]{6}$/i.test(hex)) throw new Error(`Not a color: ${value}`)
  return hex
}

const readColors = (scheme: 'light' | 'dark'): string[] =>
  [...style.matchAll(/--series-\d: (?:light-dark\(([^;]+), ([^;]+)\)|([^;]+));/g)].map(([, light, dark, both]) =>
    toHex((scheme === 'light' ? light : dark) ?? both ?? ''),
  )

describe.each(['light', 'dark'] as const)('the colors of series in %s mode', (scheme) => {
  const colors = readColors(scheme)
  const ground = cssVariablesResolver(theme as never)[scheme]['--surface'] ?? ''

  test('differ for people with any kind of color blindness', () => {
    expect(colors).toHaveLength(6)
    const distances = colors.flatMap((one, at) => colors.slice(at + 1).map((other) => getDistance(one, other)))
    expect(Math.min(...distances)).toBeGreaterThan(0.1)
    // The same measure finds colors that are not told apart.
    expect(getDistance('#C94C4C', '#7A7A3A')).toBeLessThan(0.1)
  })

  test('are seen on the ground of a card (WCAG 1.4.11)', () => {
    for (const color of colors) expect(getContrast(color, ground), color).toBeGreaterThanOrEqual(3)
  })
})
