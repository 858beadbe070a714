import type { z } from 'zod'

import { optionalLine } from './text-schemas.ts'

/** Whether this is a time zone such as America/Los_Angeles. */
export const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The time zones of the United States, which are offered first. */
const US_TIME_ZONES = [
  'America/Los_Angeles',
  'America/Denver',
  'America/Phoenix',
  'America/Chicago',
  'America/New_York',
  'America/Anchorage',
  'Pacific/Honolulu',
]

/** The time zones to choose from. */
export const listTimeZones = (): string[] => [...new Set([...US_TIME_ZONES, ...Intl.supportedValuesOf('timeZone')])]

/** A time zone, or null for that of the server. */
export const optionalTimeZone = () =>
  optionalLine(100).refine(
    (name) => name === null || isTimeZone(name),
    'Choose a time zone such as America/Los_Angeles',
  ) satisfies z.ZodType
