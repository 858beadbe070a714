import type { DeadlineText } from '../contract.ts'
import { describeNoDate, readDate } from '../read-date.ts'
import { formatDistance } from '../rules.ts'

/** What is said below a field of what is typed into it. */
export interface DateHint {
  readonly tone: 'ok' | 'wait' | 'off'
  /** 'Read as', 'No date found:' */
  readonly lead: string
  /** The date it counts as; null where it has none. */
  readonly date: string | null
  /** 'in 113 days' */
  readonly tail: string | null
  /** Dates to choose from. */
  readonly choices: readonly string[]
  /** What the button that sets a date is called. */
  readonly action: 'set it by hand' | 'Change' | null
}

/** A date that is set by hand once its text is saved. */
export interface PendingDate {
  readonly text: string
  readonly date: string
}

interface TypedText {
  readonly typed: string
  /** The text as it is stored, with its deadline. */
  readonly stored: DeadlineText | undefined
  readonly pending: PendingDate | undefined
  readonly today: string
}

const COUNTS = ['', '', 'Two', 'Three', 'Four']
const NOTHING = { date: null, tail: null, choices: [], action: null } as const

/** 'June 2027' */
const formatMonth = (isoDay: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(Date.parse(isoDay))

/** What to say of a text in a field that has a deadline; null of an empty one. */
export const getDateHint = ({ typed, stored, pending, today }: TypedText): DateHint | null => {
  if (typed.trim() === '') return null
  const dated = (lead: string, date: string, action: DateHint['action']): DateHint => ({
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
  const reading = readDate(typed)
  if (reading.date !== null) {
    const lead = reading.precision === 'month' ? `Read as ${formatMonth(reading.date)}, counts as` : 'Read as'
    return { ...dated(lead, reading.date, null), ...(known?.state === 'handled' ? { tail: 'handled' } : {}) }
  }
  const { why, dates = [], suggestion } = reading
  const count = COUNTS[dates.length]
  if (why === 'several' && count) return { ...NOTHING, tone: 'wait', lead: `${count} dates found:`, choices: dates }
  return {
    ...NOTHING,
    tone: 'wait',
    lead: 'No date found:',
    tail: why === 'no-date' ? null : describeNoDate(reading),
    choices: suggestion === undefined ? [] : [suggestion],
    action: 'set it by hand',
  }
}
