/** A file that is not a ZIP, or that hides its unpacked size; the message says why. */
export class BrokenZip extends Error {}

export interface ListedEntry {
  readonly name: string
  /** 0 is stored, 8 is deflate. */
  readonly method: number
  readonly packed: number
  /** According to the central directory; the reader enforces it. */
  readonly unpacked: number
  readonly offset: number
}

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const toDataView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** What the central directory of a ZIP lists. */
export const listZipEntries = (bytes: Uint8Array): ListedEntry[] => {
  const view = toDataView(bytes)
  let end = bytes.length - 22
  const lowest = Math.max(0, end - 65_535)
  while (end >= lowest && view.getUint32(end, true) !== END_SIGNATURE) end--
  if (end < lowest) throw new BrokenZip('it is cut off or damaged')
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const entries: ListedEntry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY_SIGNATURE) throw new BrokenZip('it is cut off or damaged')
    const packed = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    if (unpacked === 0 && packed > 2) throw new BrokenZip('it hides how large it is')
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: Buffer.from(bytes.buffer, bytes.byteOffset + at + 46, Math.min(nameLength, bytes.length - at - 46)).toString('utf8'),
      method: view.getUint16(at + 10, true),
      packed,
      unpacked,
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** The packed bytes of an entry. */
export const findZipData = (bytes: Uint8Array, { packed, offset }: ListedEntry): Uint8Array => {
  if (offset + 30 > bytes.length) throw new BrokenZip('it is cut off or damaged')
  const view = toDataView(bytes)
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  return bytes.subarray(start, start + packed)
}
