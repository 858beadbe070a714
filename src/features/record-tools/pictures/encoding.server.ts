import { createHash } from 'node:crypto'

import { fileTypeFromBuffer } from 'file-type'
import type { Sharp } from 'sharp'

import { invalidFields, Problem } from '../../../platform/contract/problem.ts'
import {
  DAMAGED,
  MAX_PIXELS,
  PICTURE_TYPES,
  getMaxPixels,
  TOO_MANY_PIXELS_FOR_SIZE,
  TOO_MANY_PIXELS,
  uploadPicture,
  WRONG_TYPE,
} from './contract.ts'
import { readIconImages, readIconSize, MAX_ICON_SIDE, replaceImages } from './icon.ts'

/** A picture as it is kept; its id is the SHA-256 of its bytes. */
export interface Picture {
  readonly _id: string
  readonly type: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** The longer side of what is kept. */
const MAX_SIDE = 2560
const MAX_CONCURRENT_DECODES = 2
const TIMEOUT_SECONDS = 20

/** Lets so many run at a time; the others wait, first come first served. */
const inTurns = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Its place goes to whoever waits longest.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** A decoded picture is up to 200 MB: whatever is sent at once, only so many are in memory. */
const inTurn = inTurns(MAX_CONCURRENT_DECODES)

/** Loaded with the first picture: the native library behind it would make every start slower. */
const openImage = async (bytes: Uint8Array, limitInputPixels: number | false): Promise<Sharp> => {
  const { default: sharp } = await import('sharp')
  return sharp(bytes, { limitInputPixels, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS })
}

const invalidFile = (message: string): Problem => invalidFields([{ path: uploadPicture.upload.field, message }])
const orDamaged = async <T>(reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch {
    throw invalidFile(DAMAGED)
  }
}

const hashBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** What is kept of an uploaded file (D26), by its content and not by its name; refused with the words of the contract. */
export const toPicture = async (bytes: Uint8Array): Promise<Picture> => {
  const found = (await fileTypeFromBuffer(bytes))?.mime
  // An animated PNG is a PNG to everybody; its first picture is kept.
  const type = found === 'image/apng' ? 'image/png' : found
  if (type === undefined || !PICTURE_TYPES.includes(type)) throw new Problem(415, WRONG_TYPE)
  return inTurn(() => (type === 'image/x-icon' ? toIcon(bytes) : reencode(bytes, type)))
}

/** The types this program has ever kept. */
const STORED_TYPES: Readonly<Record<string, string>> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** A picture that was kept here once, by the id of its bytes: as it is. Undefined where the bytes are not those. */
export const toStoredPicture = async (bytes: Buffer, id: string): Promise<Picture | undefined> => {
  if (hashBytes(bytes) !== id) return undefined
  const icon = readIconSize(bytes)
  if (icon) return { _id: id, type: 'image/x-icon', ...icon, bytes }
  const { format, width, height } = await (await openImage(bytes, MAX_PIXELS)).metadata()
  const type = STORED_TYPES[format]
  return type === undefined ? undefined : { _id: id, type, width, height, bytes }
}

/** Bitmaps stay as they are, which is nothing but colors; a PNG is decoded and encoded anew, since it may hold anything besides. */
const toIcon = async (bytes: Uint8Array): Promise<Picture> => {
  const size = readIconSize(bytes)
  if (!size) throw invalidFile(DAMAGED)
  const images: Uint8Array[] = []
  for (const image of readIconImages(bytes))
    images.push(image.isPng ? await orDamaged((await openImage(image.bytes, MAX_ICON_SIDE ** 2)).png().toBuffer()) : image.bytes)
  const kept = replaceImages(bytes, images)
  return { _id: hashBytes(kept), type: 'image/x-icon', ...size, bytes: kept }
}

const reencode = async (bytes: Uint8Array, type: string): Promise<Picture> => {
  const head = await orDamaged((await openImage(bytes, false)).metadata())
  if (head.format !== type.replace('image/', '')) throw invalidFile(DAMAGED)
  // Said by the head alone: what claims to be huge is never decoded.
  if (head.width * head.height > MAX_PIXELS) throw invalidFile(TOO_MANY_PIXELS)
  if (head.width * head.height > getMaxPixels(bytes.length)) throw invalidFile(TOO_MANY_PIXELS_FOR_SIZE)
  const picture = (await openImage(bytes, MAX_PIXELS))
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
  const encoded = type === 'image/png' ? picture.png() : picture.jpeg({ quality: 88 })
  const { data, info } = await orDamaged(encoded.toBuffer({ resolveWithObject: true }))
  return { _id: hashBytes(data), type, width: info.width, height: info.height, bytes: data }
}

/** Types a smaller copy can be made of; an icon has its sizes within. */
const RESIZABLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** Whether a copy of this width would be smaller than the picture. */
export const canResize = (picture: Pick<Picture, 'type' | 'width'>, width: number): boolean =>
  picture.width > width && RESIZABLE_TYPES.has(picture.type)

/** A copy of a kept picture in this width. */
export const resizePicture = async (bytes: Buffer, width: number): Promise<{ type: string; bytes: Buffer }> =>
  inTurn(async () => {
    const copy = (await openImage(bytes, MAX_PIXELS)).resize({ width }).webp({ quality: 80 })
    return { type: 'image/webp', bytes: await copy.toBuffer() }
  })

/** What a person's photo may be where it comes from the directory. */
const PORTRAIT_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** Twice the largest circle it is shown in. */
const PORTRAIT_SIDE = 208
const MAX_PORTRAIT_PIXELS = 16_000_000

/** A small square of a person's photo, by its content and without its metadata; `null` where the bytes are no whole picture. */
export const toPortrait = async (bytes: Uint8Array): Promise<{ type: string; bytes: Buffer } | null> => {
  const type = (await fileTypeFromBuffer(bytes))?.mime
  if (type === undefined || !PORTRAIT_TYPES.has(type)) return null
  return inTurn(async () => {
    try {
      const picture = (await openImage(bytes, MAX_PORTRAIT_PIXELS)).autoOrient().resize({ width: PORTRAIT_SIDE, height: PORTRAIT_SIDE })
      return { type: 'image/webp', bytes: await picture.webp({ quality: 82 }).toBuffer() }
    } catch {
      return null
    }
  })
}
