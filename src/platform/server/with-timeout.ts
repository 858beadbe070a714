/** The error for work that takes longer than allowed; its result is ignored. */
export class TimeoutError extends Error {
  override readonly name = 'TooSlow'
  constructor(ms: number) {
    super(`There was no answer within ${Math.round(ms / 100) / 10} s`)
  }
}

/** The result of the work, or `TimeoutError` if it takes too long. */
export const withTimeout = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(ms)), ms)
  })
  // After a timeout, a failure of the work is ignored.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
