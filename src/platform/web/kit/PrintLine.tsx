import { formatMomentDay } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import { useIsPrinting } from '../print.ts'

import classes from './PrintLine.module.css'

const today = (): string => formatMomentDay(new Date(), configuration.timeZone)

/** On paper only: where a sheet comes from, what it is of, and of which day. */
export const PrintLine = ({ of: what }: { of?: string | undefined }) => {
  // Printing draws the page again: the day is that of the sheet, not that on which the page was opened.
  useIsPrinting()
  return <p className={classes.line}>{['Homeroom', what, today()].filter(Boolean).join(' · ')}</p>
}
