interface Size {
  readonly width: number
  readonly height: number
}

const HEADER = 6
const ENTRY = 16
const MOST_IMAGES = 64
/** No icon is larger; the format itself ends at 256. */
const LARGEST = 1024

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const BITMAP_HEADER = 40

/** How large an image of an icon says it is, as a PNG or as a bitmap (whose height counts its mask as well); null where it is neither. */
const imageSize = (image: DataView): Size | null => {
  if (image.byteLength < BITMAP_HEADER) return null
  if (PNG_SIGNATURE.every((byte, at) => image.getUint8(at) === byte)) return { width: image.getUint32(16), height: image.getUint32(20) }
  if (image.getUint32(0, true) !== BITMAP_HEADER) return null
  return { width: image.getInt32(4, true), height: Math.floor(image.getInt32(8, true) / 2) }
}

const isSane = ({ width, height }: Size): boolean => width >= 1 && height >= 1 && width <= LARGEST && height <= LARGEST

/**
 * The size of the largest image of an `.ico` file; null where the file is not built as one: a header, a list of 1 to 64 images, each of
 * which lies within the file, and nothing after them.
 */
export const iconSize = (bytes: Uint8Array): Size | null => {
  if (bytes.length < HEADER) return null
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = file.getUint16(4, true)
  const first = HEADER + count * ENTRY
  if (file.getUint16(0, true) !== 0 || file.getUint16(2, true) !== 1) return null
  if (count < 1 || count > MOST_IMAGES || first > bytes.length) return null

  let largest: Size = { width: 0, height: 0 }
  let end = first
  for (let entry = HEADER; entry < first; entry += ENTRY) {
    const length = file.getUint32(entry + 8, true)
    const start = file.getUint32(entry + 12, true)
    if (start < first || start + length > bytes.length) return null
    const size = imageSize(new DataView(bytes.buffer, bytes.byteOffset + start, length))
    if (!size || !isSane(size)) return null
    if (size.width > largest.width) largest = size
    end = Math.max(end, start + length)
  }
  return end === bytes.length ? largest : null
}
