/** Reads the first part before anything is sent, so that a failure of the database becomes an error response and not a broken file. */
export const readFirst = async <T>(parts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> => {
  const first = await parts.next()
  async function* readAll() {
    if (first.done) return
    yield first.value
    yield* parts
  }
  return readAll()
}
