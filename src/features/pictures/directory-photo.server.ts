import type { House } from '../../platform/server/house.ts'
import { directoryAccessToken } from '../session/queries.server.ts'

export interface Photo {
  readonly type: string
  readonly bytes: Buffer
}

const HOUR = 3_600_000
const MOST_KEPT = 500
const LARGEST = 2 * 1024 * 1024
const TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Photos by work address, and the addresses known to have none; forgotten after an hour. Losing them costs a fetch and no more. */
const kept = new Map<string, { until: number; photo: Photo | null }>()

/**
 * The directory's photo of a work address, fetched with the token of whoever asks (D23). `null` where there is none, no token, or no
 * answer in time: the fallback image serves then.
 */
export const photoInDirectory = async (house: House, account: string, address: string, ofMe: boolean): Promise<Photo | null> => {
  const key = address.toLowerCase()
  const found = kept.get(key)
  if (found && found.until > Date.now()) return found.photo
  const token = await directoryAccessToken(house, account)
  if (token === null) return null
  const whose = ofMe ? 'me' : `users/${encodeURIComponent(address)}`
  const photo = await fetchPhoto(`${house.configuration.graphUrl}/${whose}/photo/$value`, token)
  if (photo === undefined) return null
  kept.delete(key)
  kept.set(key, { until: Date.now() + HOUR, photo })
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break
    kept.delete(oldest)
  }
  return photo
}

/** `null` where the directory says there is none, `undefined` where it did not say. */
const fetchPhoto = async (url: string, token: string): Promise<Photo | null | undefined> => {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(4000) })
    if (response.status === 404) return null
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    if (!response.ok || !TYPES.has(type)) return undefined
    const bytes = Buffer.from(await response.arrayBuffer())
    return bytes.length > LARGEST ? null : { type, bytes }
  } catch {
    return undefined
  }
}
