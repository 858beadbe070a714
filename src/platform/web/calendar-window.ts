import { createStore, useStore } from './store.ts'

/** The defaults of a new calendar feed: the query of `GET /api/deadlines`, and a name if the filter does not suggest one. */
export interface CalendarTarget {
  readonly filter: Readonly<Record<string, string>>
  readonly name?: string
}

const target = createStore<CalendarTarget | null>(null)

/** Opens the window "New calendar feed". */
export const openCalendarWindow = (about: CalendarTarget): void => target.set(about)
export const closeCalendarWindow = (): void => target.set(null)
export const useCalendarWindow = (): CalendarTarget | null => useStore(target)
