import { formatMomentDay } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import { useIsPrinting } from '../print.ts'

import classes from './PrintLine.module.css'

const today = (): string => formatMomentDay(new Date(), configuration.timeZone)

/** On paper only: source, subject and date of the printout. */
export const PrintLine = ({ of: what }: { of?: string | undefined }) => {
  // Printing renders the page again, so the date is that of printing, not of opening the page.
  useIsPrinting()
  return <p className={classes.line}>{['Homeroom', what, today()].filter(Boolean).join(' · ')}</p>
}
