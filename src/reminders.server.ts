import { sendReminders } from './features/record-tools/reminders/round.server.ts'
import type { AppContext } from './platform/server/app-context.ts'

const FIRST_ROUND_MS = 10_000
const ROUND_MS = 60_000

/** Looks for reminders and digests that are due while the server runs; after a failure again in the next round. Answers what ends it. */
export const startReminders = (context: AppContext): (() => Promise<void>) => {
  if (!context.configuration.serve.has('app')) return async () => undefined
  let running: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const round = (): void => {
    if (isRunning) return
    isRunning = true
    running = sendReminders(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'Reminders of deadlines could not be sent'))
      .finally(() => {
        isRunning = false
      })
  }
  const timers = [setTimeout(round, FIRST_ROUND_MS), setInterval(round, ROUND_MS)]
  for (const timer of timers) timer.unref()
  return async () => {
    for (const timer of timers) clearTimeout(timer)
    await running
  }
}
