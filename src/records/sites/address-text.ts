import type { SiteSummary } from '../../contract/references.ts'
import type { Site } from './contract.ts'

type Address = Site['address']

/** The lines of an address; none if it is empty. */
export const formatAddressLines = ({ address_1, address_2, city, state, zip }: SiteSummary['address']): string[] => {
  const street = [address_1, address_2].filter(Boolean).join(', ')
  const cityLine = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [street, cityLine].filter((line) => line !== '')
}

const formatRange = (from: string | null, to: string | null): string[] => {
  const ends = [...new Set([from, to])].filter(Boolean)
  return ends.length ? [ends.join(' to ')] : []
}

/** 'Monday to Friday', '9:00AM to 5:00PM'; a single value if the other is missing. */
export const formatHourLines = ({ start_day, end_day, start_time, end_time }: Address): string[] => [
  ...formatRange(start_day, end_day),
  ...formatRange(start_time, end_time),
]
