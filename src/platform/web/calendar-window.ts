import { createStore, useStore } from './store.ts'

/** What a new calendar feed is to have: the query of `GET /api/deadlines`, and a name where the filter says too little. */
export interface CalendarTarget {
  readonly filter: Readonly<Record<string, string>>
  readonly name?: string
}

const target = createStore<CalendarTarget | null>(null)

/** Opens the window New calendar feed. */
export const openCalendarWindow = (about: CalendarTarget): void => target.set(about)
export const closeCalendarWindow = (): void => target.set(null)
export const useCalendarWindow = (): CalendarTarget | null => useStore(target)
