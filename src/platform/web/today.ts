import { toIsoDay } from '../../contract/dates.ts'
import { configuration } from './configuration.ts'

/** Today in the organization's time zone. */
export const getToday = (): string => toIsoDay(new Date(), configuration.timeZone)
