import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition is true; an error counts as false. The default timeout exceeds the minute after which claimed work is released. */
export const waitUntil = async (
  description: string,
  condition: () => Promise<boolean> | boolean,
  { timeoutMs = 90_000, intervalMs = 50 } = {},
): Promise<void> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause(intervalMs))
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return
  throw new Error(`Not within ${timeoutMs / 1000} s: ${description}`)
}
