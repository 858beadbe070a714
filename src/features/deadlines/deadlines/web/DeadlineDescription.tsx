import { formatDay } from '../../../../contract/dates.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import type { Deadline } from '../contract.ts'
import { useDeadlineRecords } from './deadline-records.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DeadlineDescription.module.css'

const PutOff = ({ deadline: { date, snoozedUntil, note, updatedBy } }: { deadline: Deadline }) => {
  const user = useUser()
  const who = updatedBy === null ? 'It was put off' : updatedBy === user?.name ? 'You put it off' : `${updatedBy} put it off`
  const [from, until] = [formatDay(date), formatDay(snoozedUntil ?? '')]
  return (
    <>
      {' '}
      {snoozedUntil !== null && snoozedUntil > date ? `${who} from ${from}` : `${who} until ${until}`}
      {note ? `: ${note}` : '.'}
    </>
  )
}

/** The exact text that a deadline was extracted from, so that users can verify it; then why it was snoozed, or its note. */
export const DeadlineDescription = ({ deadline, isBrief = false }: { deadline: Deadline; isBrief?: boolean }) => {
  const { getFieldLabel } = useDeadlineRecords()
  const { source, precision, state, note, proposed, why } = deadline
  const label = source && source.record !== 'custom' ? getFieldLabel(source) : null
  return (
    <span className={`${textClasses.hint} ${layoutClasses.breakable}`}>
      {label === null ? (
        'Added by hand.'
      ) : (
        <>
          {source?.isByHand ? `Set by hand. ${label}` : isBrief ? label : `Read from ${label}`}:{' '}
          <q className={`${textClasses.textColor} ${classes.quote}`}>{source?.text}</q>
          {proposed ? `. ${why}.` : precision === 'month' ? ', the last day of the month' : null}
          {state === 'snoozed' && !proposed ? '.' : null}
        </>
      )}
      {state === 'snoozed' && !proposed ? <PutOff deadline={deadline} /> : note ? <> Note: {note}</> : null}
    </span>
  )
}
