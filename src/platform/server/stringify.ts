import { createTimeSlices } from './time-slices.ts'

/** Longer lists are serialized in chunks. */
const MAX_ITEMS = 20

/** A response in which some lists are read while they are sent; each of those is a sequence of batches. */
export type Streamed<T> = {
  readonly [K in keyof T]: T[K] | (T[K] extends readonly (infer Item)[] ? AsyncIterable<readonly Item[]> : never)
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > MAX_ITEMS
const isAsyncList = (value: unknown): value is AsyncIterable<readonly unknown[]> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

const hasMember = (value: unknown, is: (member: unknown) => boolean): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).some(is)

/** Whether any list in the value is read while it is sent. */
export const isStreamed = (value: unknown): boolean => hasMember(value, isAsyncList)

/** Whether a value is serialized in one step. */
const isShort = (value: unknown): boolean =>
  Array.isArray(value) ? !isLong(value) : !hasMember(value, (member) => isLong(member) || isAsyncList(member))

async function* writeList(
  list: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
  rest: () => Promise<void>,
): AsyncGenerator<string> {
  let before = '['
  for await (const items of list)
    for (let at = 0; at < items.length; at += MAX_ITEMS) {
      await rest()
      yield before + JSON.stringify(items.slice(at, at + MAX_ITEMS)).slice(1, -1)
      before = ','
    }
  yield before === '[' ? '[]' : ']'
}

/** The result of `stringify`, in chunks. */
export async function* toJsonChunks(value: unknown): AsyncGenerator<string> {
  const rest = createTimeSlices()
  if (isLong(value)) return yield* writeList([value], rest)
  let before = '{'
  for (const [name, member] of Object.entries(value as object)) {
    const list = isAsyncList(member) ? member : isLong(member) ? [member] : undefined
    if (list) {
      yield `${before}${JSON.stringify(name)}:`
      yield* writeList(list, rest)
    } else {
      const json = JSON.stringify(member) as string | undefined
      if (json === undefined) continue
      yield `${before}${JSON.stringify(name)}:${json}`
    }
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

/** Same result as `JSON.stringify`, but other requests are served while it serializes long lists, at the top level or as members of an object. */
export const stringify = async (value: unknown): Promise<string> =>
  isShort(value) ? JSON.stringify(value) : (await Array.fromAsync(toJsonChunks(value))).join('')
