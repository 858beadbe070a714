import { createTimeSlices } from './time-slices.ts'

/** Longer lists are serialized in batches of at most this size. */
const MAX_ITEMS = 20
/** Items with long texts are serialized in smaller batches, of about this length. */
const BATCH_LENGTH = 65_536

/** A response in which some lists are read while they are sent; each of those is a sequence of batches. */
export type Streamed<T> = T extends readonly (infer Item)[]
  ? AsyncIterable<readonly Item[]>
  : { readonly [K in keyof T]: T[K] | (T[K] extends readonly (infer Item)[] ? AsyncIterable<readonly Item[]> : never) }

const isAsyncList = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
const isLongList = (value: unknown): boolean => isAsyncList(value) || (Array.isArray(value) && value.length > MAX_ITEMS)

/** Whether any list in the value is read while it is sent. */
export const isStreamed = (value: unknown): boolean =>
  isAsyncList(value) || (typeof value === 'object' && value !== null && Object.values(value).some(isAsyncList))

/** Whether a value is, or contains, a long list or much text, so that serializing it in one step could block other requests. */
export const isLong = (value: unknown): value is object => {
  let left = BATCH_LENGTH
  const exceeds = (inner: unknown): boolean => {
    if (typeof inner === 'string') left -= inner.length
    else if (typeof inner === 'object' && inner !== null) return isLongList(inner) || Object.values(inner).some(exceeds)
    return left < 0
  }
  return typeof value === 'object' && exceeds(value)
}

type Rest = () => Promise<void>

async function* writeItems(items: readonly unknown[], rest: Rest): AsyncGenerator<string> {
  let size = 1
  for (let at = 0; at < items.length;) {
    await rest()
    const batch = items.slice(at, at + size)
    if (at > 0) yield ','
    if (batch.some(isLong))
      for (const [index, item] of batch.entries()) {
        if (index > 0) yield ','
        yield* writeValue(item, rest)
      }
    else {
      const text = JSON.stringify(batch)
      size = Math.max(1, Math.min(MAX_ITEMS, Math.floor((BATCH_LENGTH * batch.length) / text.length)))
      yield text.slice(1, -1)
    }
    at += batch.length
  }
}

async function* writeList(list: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>, rest: Rest): AsyncGenerator<string> {
  let before = '['
  for await (const items of list) {
    if (items.length === 0) continue
    yield before
    yield* writeItems(items, rest)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* writeObject(value: object, rest: Rest): AsyncGenerator<string> {
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* writeValue(member, rest)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

async function* writeValue(value: unknown, rest: Rest): AsyncGenerator<string> {
  await rest()
  if (!isLong(value)) yield value === undefined ? 'null' : JSON.stringify(value)
  else if (isAsyncList(value)) yield* writeList(value, rest)
  else if (Array.isArray(value)) yield* writeList([value], rest)
  else yield* writeObject(value, rest)
}

/** The JSON of a value in pieces, with turns for other requests in between. */
export const toJsonChunks = (value: unknown): AsyncGenerator<string> => writeValue(value, createTimeSlices())

/** Same result as `JSON.stringify`, but other requests are served while it serializes long lists. */
export const stringify = async (value: unknown): Promise<string> =>
  isLong(value) ? (await Array.fromAsync(toJsonChunks(value))).join('') : JSON.stringify(value)
