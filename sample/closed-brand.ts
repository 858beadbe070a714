import { DAY } from './calendar.ts'
import type { PlannedCharter, Plan } from './plan.ts'

/**
 * A brand of a large network that closed with a school year. It had these charters, which other brands have taken over since: some as they were, and of
 * those that closed with it the records.
 */
const CLOSED_BRAND = 'North Lantern Education'
export const ITS_CHARTERS: Readonly<Record<string, string>> = {
  QHS: 'North Lantern Home Study',
  FHM: 'North Lantern Mahoning',
  SGB: 'North Lantern Borderlands',
  MFH: 'North Lantern Foothill',
  CLPD: 'North Lantern Pee Dee',
  SGEH: 'North Lantern Evening High',
}

export const findClosedBrand = ({ brands }: Plan) => brands.find(({ name }) => name === CLOSED_BRAND)

/** How many days ago it closed: on the last June 30 that is at least three months ago. */
export const getClosingOfBrand = (day: Date): number => {
  const year = day.getUTCFullYear()
  const daysSince = (of: number): number => Math.round((day.getTime() - Date.UTC(of, 5, 30)) / DAY)
  return daysSince(year) >= 90 ? daysSince(year) : daysSince(year - 1)
}

/** Whether a charter closed together with that brand. */
export const isOfClosedBrand = ({ abbreviation, status }: Pick<PlannedCharter, 'abbreviation' | 'status'>): boolean =>
  abbreviation in ITS_CHARTERS && status.startsWith('CLOSED')
