import { createHash } from 'node:crypto'

import type { Sharp } from 'sharp'

import {
  DAMAGED,
  MAX_PIXELS,
  PICTURE_TYPES,
  getMaxPixels,
  TOO_MANY_PIXELS_FOR_SIZE,
  TOO_MANY_PIXELS,
  uploadPicture,
  WRONG_TYPE,
} from '../../contract/pictures.ts'
import { invalidFields, Problem } from '../../contract/problem.ts'
import { readIconImages, readIconSize, MAX_ICON_SIDE, replaceImages } from './icon-file.ts'

/** A stored picture; its id is the SHA-256 of its bytes. */
export interface Picture {
  readonly _id: string
  readonly type: string
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** The longer side of a stored picture, in pixels. */
const MAX_SIDE = 2560
const MAX_CONCURRENT_DECODES = 2
const TIMEOUT_SECONDS = 20

/** Runs at most `most` tasks at a time, in call order. */
const createLimiter = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot goes to the longest waiting task.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** A decoded picture takes up to 200 MB, so only a few are decoded at a time. */
const limitDecoding = createLimiter(MAX_CONCURRENT_DECODES)

/** Imported with the first picture, because its native library would slow down every start. */
const openImage = async (bytes: Uint8Array, limitInputPixels: number | false): Promise<Sharp> => {
  const { default: sharp } = await import('sharp')
  return sharp(bytes, { limitInputPixels, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS })
}

/** The type that the content has, whatever the name says. */
const detectType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(bytes))?.mime
}

const invalidFile = (message: string): Problem => invalidFields([{ path: uploadPicture.upload.field, message }])
const catchDamagedPicture = async <T>(reading: Promise<T>): Promise<T> => {
  try {
    return await reading
  } catch {
    throw invalidFile(DAMAGED)
  }
}

const hashBytes = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Decodes and re-encodes an uploaded file. */
export const toPicture = async (bytes: Uint8Array): Promise<Picture> => {
  const found = await detectType(bytes)
  // An animated PNG is a valid PNG; its first frame is kept.
  const type = found === 'image/apng' ? 'image/png' : found
  if (type === undefined || !PICTURE_TYPES.includes(type)) throw new Problem(415, WRONG_TYPE)
  return limitDecoding(() => (type === 'image/x-icon' ? toIcon(bytes) : reencode(bytes, type)))
}

/** All types that were ever stored. */
const STORED_TYPES: Readonly<Record<string, string>> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** A picture that was stored before, unchanged; undefined if its bytes do not match the id. */
export const toStoredPicture = async (bytes: Buffer, id: string): Promise<Picture | undefined> => {
  if (hashBytes(bytes) !== id) return undefined
  const icon = readIconSize(bytes)
  if (icon) return { _id: id, type: 'image/x-icon', ...icon, bytes }
  const { format, width, height } = await (await openImage(bytes, MAX_PIXELS)).metadata()
  const type = STORED_TYPES[format]
  return type === undefined ? undefined : { _id: id, type, width, height, bytes }
}

/** Bitmaps contain only colors and stay as they are; PNGs are re-encoded, because they may contain other data. */
const toIcon = async (bytes: Uint8Array): Promise<Picture> => {
  const size = readIconSize(bytes)
  if (!size) throw invalidFile(DAMAGED)
  const images: Uint8Array[] = []
  for (const image of readIconImages(bytes))
    images.push(image.isPng ? await catchDamagedPicture((await openImage(image.bytes, MAX_ICON_SIDE ** 2)).png().toBuffer()) : image.bytes)
  const kept = replaceImages(bytes, images)
  return { _id: hashBytes(kept), type: 'image/x-icon', ...size, bytes: kept }
}

const reencode = async (bytes: Uint8Array, type: string): Promise<Picture> => {
  const head = await catchDamagedPicture((await openImage(bytes, false)).metadata())
  if (head.format !== type.replace('image/', '')) throw invalidFile(DAMAGED)
  // Checked from the header alone, so that a file declaring a huge size is never decoded.
  if (head.width * head.height > MAX_PIXELS) throw invalidFile(TOO_MANY_PIXELS)
  if (head.width * head.height > getMaxPixels(bytes.length)) throw invalidFile(TOO_MANY_PIXELS_FOR_SIZE)
  const picture = (await openImage(bytes, MAX_PIXELS))
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
  const encoded = type === 'image/png' ? picture.png() : picture.jpeg({ quality: 88 })
  const { data, info } = await catchDamagedPicture(encoded.toBuffer({ resolveWithObject: true }))
  return { _id: hashBytes(data), type, width: info.width, height: info.height, bytes: data }
}

/** Types that can be resized; an icon contains its own sizes. */
const RESIZABLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** Whether a copy of this width would be smaller. */
export const canResize = (picture: Pick<Picture, 'type' | 'width'>, width: number): boolean =>
  picture.width > width && RESIZABLE_TYPES.has(picture.type)

/** A copy of a stored picture in this width. */
export const resizePicture = async (
  bytes: Buffer,
  width: number,
  format: 'webp' | 'jpeg' = 'webp',
): Promise<{ type: string; bytes: Buffer }> =>
  limitDecoding(async () => {
    const copy = (await openImage(bytes, MAX_PIXELS)).resize({ width }).toFormat(format, { quality: 80 })
    return { type: `image/${format}`, bytes: await copy.toBuffer() }
  })

/** The same picture as a JPEG. */
export const toJpeg = (bytes: Buffer): Promise<{ type: string; bytes: Buffer }> =>
  limitDecoding(async () => ({ type: 'image/jpeg', bytes: await (await openImage(bytes, MAX_PIXELS)).jpeg({ quality: 85 }).toBuffer() }))

/** Accepted types of directory photos. */
const PORTRAIT_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
/** Twice the largest size it is shown in, in pixels. */
const PORTRAIT_SIDE = 208
const MAX_PORTRAIT_PIXELS = 16_000_000

/** A small square copy of a photo without metadata; `null` if the bytes are not a valid picture. */
export const toPortrait = async (bytes: Uint8Array): Promise<{ type: string; bytes: Buffer } | null> => {
  const type = await detectType(bytes)
  if (type === undefined || !PORTRAIT_TYPES.has(type)) return null
  return limitDecoding(async () => {
    try {
      const picture = (await openImage(bytes, MAX_PORTRAIT_PIXELS)).autoOrient().resize({ width: PORTRAIT_SIDE, height: PORTRAIT_SIDE })
      return { type: 'image/webp', bytes: await picture.webp({ quality: 82 }).toBuffer() }
    } catch {
      return null
    }
  })
}
