import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'

import states from 'zipcodes/lib/states.js'

/** Degrees north and east. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}
interface Address {
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
}

/** One zip as the package writes it: an object without objects in it. */
const ENTRY = /\{"zip":[^{}]*\}/g

/** The five digits of a zip, its extension left out, a lost leading zero put back; null where it is none. */
const normalizeZip = (zip: string | null): string | null => {
  const [, digits] = /^\s*(\d{4,5})(?:\D|$)/.exec(zip ?? '') ?? []
  return digits?.padStart(5, '0') ?? null
}

/** A city and its state as they are looked up; null where one of them is not known. */
const normalizeCity = (city: string | null, state: string | null): string | null => {
  const letters = state?.trim() ? states.normalize(state.trim()) : undefined
  return city?.trim() && letters ? `${city.trim().toUpperCase()}, ${letters}` : null
}

/**
 * The middles of zips and of cities (the mean of its zips), looked up in the table of the package zipcodes. Loading that package
 * takes 90 MB and holds everything up for a third of a second; so its file is read through as text, only when something is asked
 * for the first time, and only what was asked for is kept.
 */
export class Centroids {
  readonly #zips = new Map<string, Point | null>()
  readonly #cities = new Map<string, Point | null>()

  /** Makes what these addresses need known to `find`. */
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

  /** Where an address that was learnt lies, and what says so. */
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

/** Every zip of the package's table that says where it is, piece by piece. */
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
    // What follows the last whole entry is the beginning of the next one; the table's end is one long line without any.
    rest = text.slice(text.lastIndexOf('}') + 1).slice(-500)
  }
}
