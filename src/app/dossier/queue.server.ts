import { memoize } from '../../contract/memoize.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import { claimDossier, makeDossier } from './mutations.server.ts'

/** Makes dossiers of this server one after the other: one that was just asked for, and those that a stopped server left. */
class DossierQueue {
  readonly #context: AppContext
  #running: Promise<void> | undefined
  #isWanted = false

  constructor(context: AppContext) {
    this.#context = context
  }

  /** Runs until nothing waits; a call while it runs makes it look again. */
  run(stopping: AbortSignal): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#makeAll(stopping).finally(() => (this.#running = undefined))
    return this.#running
  }

  async #makeAll(stopping: AbortSignal): Promise<void> {
    while (this.#isWanted && !stopping.aborted) {
      this.#isWanted = false
      for (;;) {
        const claimed = stopping.aborted ? undefined : await claimDossier(this.#context.db)
        if (!claimed) break
        await makeDossier(this.#context, claimed, stopping)
      }
    }
  }
}

const getQueue = memoize((context: AppContext) => new DossierQueue(context))

/** Aborted when the server stops: a dossier that is being made then waits for another server, or for the next start. */
const stops = memoize((_context: AppContext) => new AbortController())

/** Makes what waits, in the background. */
export const wakeDossierQueue = (context: AppContext): void => {
  getQueue(context)
    .run(stops(context).signal)
    .catch((error: unknown) => context.log.error({ err: error }, 'The queue of dossiers stopped'))
}

/** The job of a server: makes what waits until nothing does, or until the server stops. */
export const makeDossiers = async (context: AppContext, stopping: AbortSignal): Promise<void> => {
  const stop = (): void => stops(context).abort()
  stopping.addEventListener('abort', stop, { once: true })
  await getQueue(context).run(stops(context).signal)
}
