interface Size {
  readonly width: number
  readonly height: number
}

const HEADER = 6
const ENTRY = 16
const MAX_IMAGES = 64
/** The format itself is limited to 256 pixels; PNG images inside can be larger. */
export const MAX_ICON_SIDE = 1024
/** Pixels of all images together, because each is decoded. */
const MAX_ICON_PIXELS = 2 * MAX_ICON_SIDE ** 2

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const BITMAP_HEADER = 40

const isPng = (image: DataView): boolean => PNG_SIGNATURE.every((byte, at) => image.getUint8(at) === byte)

/** The size in the header of an image, PNG or bitmap (whose height includes its mask); null if it is neither. */
const readImageSize = (image: DataView): Size | null => {
  if (image.byteLength < BITMAP_HEADER) return null
  if (isPng(image)) return { width: image.getUint32(16), height: image.getUint32(20) }
  if (image.getUint32(0, true) !== BITMAP_HEADER) return null
  return { width: image.getInt32(4, true), height: Math.floor(image.getInt32(8, true) / 2) }
}

const isAllowedSize = ({ width, height }: Size): boolean => width >= 1 && height >= 1 && width <= MAX_ICON_SIDE && height <= MAX_ICON_SIDE

/**
 * The size of the largest image of an `.ico` file; null if the file is malformed: it must be a header and a directory of 1 to 64 images, which lie
 * within the file without overlaps, and nothing after them.
 */
export const readIconSize = (bytes: Uint8Array): Size | null => {
  if (bytes.length < HEADER) return null
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = file.getUint16(4, true)
  const first = HEADER + count * ENTRY
  if (file.getUint16(0, true) !== 0 || file.getUint16(2, true) !== 1) return null
  if (count < 1 || count > MAX_IMAGES || first > bytes.length) return null

  let largest: Size = { width: 0, height: 0 }
  let [end, together, pixels] = [first, 0, 0]
  for (let entry = HEADER; entry < first; entry += ENTRY) {
    const length = file.getUint32(entry + 8, true)
    const start = file.getUint32(entry + 12, true)
    if (start < first || start + length > bytes.length) return null
    const size = readImageSize(new DataView(bytes.buffer, bytes.byteOffset + start, length))
    if (!size || !isAllowedSize(size)) return null
    if (size.width > largest.width) largest = size
    pixels += size.width * size.height
    end = Math.max(end, start + length)
    together += length
  }
  // Overlapping images would expand to many times the file's size.
  return end === bytes.length && together <= end - first && pixels <= MAX_ICON_PIXELS ? largest : null
}

interface IconImage {
  readonly bytes: Uint8Array
  readonly isPng: boolean
}

/** The images of an icon that `readIconSize` has validated. */
export const readIconImages = (bytes: Uint8Array): IconImage[] => {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: file.getUint16(4, true) }, (_, index) => {
    const entry = HEADER + index * ENTRY
    const start = file.getUint32(entry + 12, true)
    const image = bytes.subarray(start, start + file.getUint32(entry + 8, true))
    return { bytes: image, isPng: isPng(new DataView(image.buffer, image.byteOffset, image.byteLength)) }
  })
}

/** The icon with its images replaced. */
export const replaceImages = (icon: Uint8Array, images: readonly Uint8Array[]): Buffer => {
  const head = Buffer.from(icon.subarray(0, HEADER + images.length * ENTRY))
  let start = head.length
  for (const [index, { length }] of images.entries()) {
    head.writeUInt32LE(length, HEADER + index * ENTRY + 8)
    head.writeUInt32LE(start, HEADER + index * ENTRY + 12)
    start += length
  }
  return Buffer.concat([head, ...images])
}
