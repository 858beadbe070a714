import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'

import states from 'zipcodes/lib/states.js'

import type { Point } from './rules.ts'

interface Address {
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

/** One ZIP code in the package's file: an object without nested objects. */
const ENTRY = /\{"zip":[^{}]*\}/g

/** The five digits of a ZIP code, without extension and with leading zeros restored; null if it is invalid. */
const normalizeZip = (zip: string | null): string | null => {
  const [, digits] = /^\s*(\d{4,5})(?:\D|$)/.exec(zip ?? '') ?? []
  return digits?.padStart(5, '0') ?? null
}

/** The key of a city and its state; null if one of them is unknown. */
const normalizeCity = (city: string | null, state: string | null): string | null => {
  const letters = state?.trim() ? states.normalize(state.trim()) : undefined
  return city?.trim() && letters ? `${city.trim().toUpperCase()}, ${letters}` : null
}

/**
 * The centers of ZIP codes and of cities (the mean of their ZIP codes), looked up in the table of the package zipcodes. Loading that package would
 * take 90 MB and block the event loop for a third of a second, so its file is scanned as text on the first lookup, and only requested entries are
 * kept.
 */
export class Centroids {
  readonly #zips = new Map<string, Point | null>()
  readonly #cities = new Map<string, Point | null>()

  /** Loads the centers for these addresses, for `find`. */
  async learn(addresses: readonly Address[]): Promise<void> {
    const zips = new Set<string>()
    const cities = new Map<string, Point[]>()
    for (const { city, state, zip } of addresses) {
      const [byZip, byCity] = [normalizeZip(zip), normalizeCity(city, state)]
      if (byZip && !this.#zips.has(byZip)) zips.add(byZip)
      if (byCity && !this.#cities.has(byCity)) cities.set(byCity, [])
    }
    if (zips.size === 0 && cities.size === 0) return

    const found = new Map<string, Point>()
    for await (const { zip, city, state, latitude, longitude } of readEntries()) {
      if (zips.has(zip)) found.set(zip, { latitude, longitude })
      cities.get(`${city.toUpperCase()}, ${state}`)?.push({ latitude, longitude })
    }
    for (const zip of zips) this.#zips.set(zip, found.get(zip) ?? null)
    for (const [city, points] of cities) this.#cities.set(city, getCenter(points))
  }

  /** The location of a loaded address, by ZIP code or by city. */
  find({ city, state, zip }: Address): (Point & { from: 'zip' | 'city' }) | null {
    const byZip = this.#zips.get(normalizeZip(zip) ?? '')
    if (byZip) return { ...byZip, from: 'zip' }
    const byCity = this.#cities.get(normalizeCity(city, state) ?? '')
    return byCity ? { ...byCity, from: 'city' } : null
  }
}

const getCenter = (points: readonly Point[]): Point | null => {
  if (points.length === 0) return null
  const mean = (part: keyof Point) => Number((points.reduce((sum, point) => sum + point[part], 0) / points.length).toFixed(4))
  return { latitude: mean('latitude'), longitude: mean('longitude') }
}

interface Entry extends Point {
  readonly zip: string
  readonly city: string
  readonly state: string
}

/** Reads all ZIP codes with coordinates from the package's file as a stream. */
async function* readEntries(): AsyncGenerator<Entry> {
  const file = createRequire(import.meta.url).resolve('zipcodes/lib/codes.js')
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const text = rest + chunk
    for (const [entry] of text.matchAll(ENTRY)) {
      const read = JSON.parse(entry) as Partial<Entry>
      if (read.zip && typeof read.latitude === 'number' && typeof read.longitude === 'number')
        yield { city: '', state: '', ...read } as Entry
    }
    // Everything after the last complete entry is the start of the next one; the table ends with a long line without entries.
    rest = text.slice(text.lastIndexOf('}') + 1).slice(-500)
  }
}
