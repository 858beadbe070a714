/** UTF-16 if there is a byte order mark; UTF-8 if all bytes are valid, otherwise Windows-1252. Undefined if a zero byte says that it is not text. */
export const detectEncoding = async (read: () => AsyncIterable<Uint8Array>): Promise<string | undefined> => {
  let isFirst = true
  for await (const chunk of read()) {
    if (isFirst && chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le'
    if (isFirst && chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be'
    isFirst = false
    if (chunk.includes(0)) return undefined
  }
  try {
    for await (const text of decodeChunks(read(), 'utf-8', true)) void text
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

export async function* decodeChunks(chunks: AsyncIterable<Uint8Array>, encoding: string, fatal = false): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal })
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
