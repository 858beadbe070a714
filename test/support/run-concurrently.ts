/** Runs work for each item, for at most `count` of them at a time. */
export const runConcurrently = async <T>(items: Iterable<T>, count: number, work: (item: T) => Promise<unknown>): Promise<void> => {
  const left = items[Symbol.iterator]()
  const workThrough = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: count }, workThrough))
}
