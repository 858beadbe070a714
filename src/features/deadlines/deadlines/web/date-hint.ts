import { createDayFormat, formatDay } from '../../../../contract/dates.ts'
import type { DeadlineSource } from '../../../../contract/deadlines.ts'
import type { DeadlineText } from '../contract.ts'
import { NO_DATE, readDate } from '../read-date.ts'
import { formatDistance } from '../rules.ts'

/** The hint below a field about its current text. */
export interface DateHintContent {
  readonly tone: 'ok' | 'wait' | 'off'
  /** 'Read as', '06/30/2027?', 'No date found:' */
  readonly lead: string
  /** The date that counts; null if there is none. */
  readonly date: string | null
  /** 'in 113 days' */
  readonly tail: string | null
  /** Dates to confirm, the likeliest first. */
  readonly choices: readonly string[]
  /** The label of the button that sets a date. */
  readonly action: 'set it by hand' | 'Change' | null
}

/** A date to be set by hand once its text is saved. */
export interface PendingDate {
  readonly text: string
  readonly date: string
}

interface TypedText {
  readonly typed: string
  readonly source: DeadlineSource | undefined
  /** The stored text, with its deadline. */
  readonly stored: DeadlineText | undefined
  readonly pending: PendingDate | undefined
  readonly today: string
}

const NOTHING = { date: null, tail: null, choices: [], action: null } as const

/** 'June 2027' */
const formatMonth = createDayFormat({ month: 'long', year: 'numeric' })

/** The hint for the text of a field that has a deadline; null if it is empty. */
export const getDateHint = ({ typed, source, stored, pending, today }: TypedText): DateHintContent | null => {
  if (typed.trim() === '') return null
  const dated = (lead: string, date: string, action: DateHintContent['action']): DateHintContent => ({
    tone: 'ok',
    lead,
    date,
    tail: formatDistance(date, today),
    choices: [],
    action,
  })
  if (pending?.text === typed) return dated('Set by hand with the next save:', pending.date, 'Change')
  const known = stored?.text === typed ? stored : undefined
  if (known?.isByHand && known.date !== null) return dated('Set by hand:', known.date, 'Change')
  if (known?.isIgnored) return { ...NOTHING, tone: 'off', lead: 'Not a deadline:', action: 'set it by hand' }
  const reading = readDate(typed, source)
  if (reading.status === 'certain') {
    const lead = reading.precision === 'month' ? `Read as ${formatMonth(reading.date)}, counts as` : 'Read as'
    return { ...dated(lead, reading.date, null), ...(known?.state === 'handled' ? { tail: 'handled' } : {}) }
  }
  if (reading.status === 'proposed')
    return {
      ...NOTHING,
      tone: 'wait',
      lead: `${formatDay(reading.dates[0].date)}?`,
      tail: reading.why,
      choices: reading.dates.map(({ date }) => date),
      action: 'set it by hand',
    }
  const why = reading.why === NO_DATE ? null : reading.why
  return { ...NOTHING, tone: 'wait', lead: 'No date found:', tail: why, action: 'set it by hand' }
}
