import { formatDay } from '../src/contract/dates.ts'
import { addDays } from '../src/features/deadlines/deadlines/rules.ts'
import { toIsoDay } from './calendar.ts'
import type { Place } from './places.ts'
import type { PlannedCharter, Plan } from './plan.ts'
import { createRandom } from './random.ts'

/** The dates of a charter affair as people type them; null if empty. */
export interface AffairDates {
  readonly termYears: number
  readonly termStartYear: number
  readonly expires: string
  readonly expiresInTerms: string
  readonly petitionDue: string | null
  readonly upcomingPetition: string | null
  readonly boardMeeting: string | null
  readonly lastBoardMeeting: string
  readonly oversight: string | null
  readonly dass: string | null
  readonly accreditationEnds: string
  readonly accreditationVisit: string | null
  readonly leadershipVisit: string | null
  readonly leadershipReport: string | null
  readonly fundingEnds: string
  readonly fundingSubmission: string | null
  readonly audit: string | null
  readonly mouTerm: string
  readonly petitionTerm: string
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
/** 'March 15, 2027' */
const toWords = (isoDay: string): string => {
  const [year, month, day] = isoDay.split('-').map(Number)
  return `${MONTHS[(month ?? 1) - 1]} ${day}, ${year}`
}
/** 'March 2027' */
const toMonthWords = (isoDay: string): string => `${MONTHS[Number(isoDay.slice(5, 7)) - 1]} ${isoDay.slice(0, 4)}`
/** '3/15/27' */
const toShort = (isoDay: string): string => `${Number(isoDay.slice(5, 7))}/${Number(isoDay.slice(8))}/${isoDay.slice(2, 4)}`

/**
 * The dates of a charter: its petition is due before its term ends, its funding is submitted before it expires. Some charters, by number, have
 * problems to sort out: contradictions, texts without a date, and dates that have just passed.
 */
export const createAffairDates = (plan: Plan, charter: PlannedCharter, place: Place): AffairDates => {
  const { index } = charter
  const random = createRandom(plan.seed, 'affair dates', index)
  const today = toIsoDay(plan.day, 0)
  /** A day that is never on a weekend: Saturdays move to Friday, Sundays to Monday. */
  const inDays = (days: number): string => {
    const weekday = new Date(toIsoDay(plan.day, days)).getUTCDay()
    return toIsoDay(plan.day, days + (weekday === 6 ? -1 : weekday === 0 ? 1 : 0))
  }
  const isClosed = charter.status.startsWith('CLOSED')
  const isTurn = (every: number, turn: number): boolean => index % every === turn
  const inRandomDays = (least: number, most: number): string => inDays(random.int(least, most))
  const format = (isoDay: string): string => random.pick([formatDay, formatDay, formatDay, toWords, toShort])(isoDay)

  /** The June 30 on which a school year ends, a number of years after the next one. */
  const toJune = (years: number): string => `${Number(today.slice(0, 4)) + (today.slice(5) < '06-16' ? 0 : 1) + years}-06-30`
  const termYears = random.pick([5, 5, 5, 7, 3])
  const expires = isClosed
    ? toJune(-2)
    : isTurn(25, 10)
      ? inDays(-45)
      : isTurn(12, 9)
        ? inRandomDays(60, 120)
        : toJune(random.pick([0, 0, 1, 1, 2, 3, 4].filter((years) => years < termYears)))
  const termStartYear = Number(expires.slice(0, 4)) - termYears
  const petitionDue = isTurn(30, 3) ? inDays(-5) : isTurn(20, 7) ? addDays(expires, 60) : addDays(expires, -random.int(190, 300))
  const drawn = inRandomDays(40, 330)
  const hearing = drawn < expires ? drawn : addDays(expires, -20)
  const fundingEnds = toJune(random.int(0, 3))
  const fundingSubmission = isTurn(30, 18) ? inDays(-2) : `${fundingEnds.slice(0, 4)}-02-01`
  const visit = inRandomDays(20, 380)
  const auditYear = Number(today.slice(0, 4)) + (today.slice(5) < '12-01' ? 0 : 1)
  const fiscalYear = (years: number): string => `FY ${auditYear - 1 - years}-${String(auditYear - years).slice(2)}`

  const open = <T>(text: T): T | null => (isClosed ? null : text)
  return {
    termYears,
    termStartYear,
    expires: formatDay(expires),
    expiresInTerms: isTurn(25, 16) ? formatDay(`${Number(expires.slice(0, 4)) + 1}${expires.slice(4)}`) : formatDay(expires),
    petitionDue: open(random.pick([formatDay, formatDay, toWords, (day: string) => `Extended to ${toShort(day)}`])(petitionDue)),
    upcomingPetition: open(
      isTurn(18, 4)
        ? 'Renewal, hearing in the fall'
        : isTurn(3, 0) && hearing > today
          ? `${random.pick(['Material revision', 'New site'])}, hearing ${isTurn(9, 0) ? 'expected' : 'on'} ${format(hearing)}`
          : null,
    ),
    boardMeeting: open(
      isTurn(24, 8)
        ? 'Third Thursday, 5:30 PM'
        : `${format(inRandomDays(1, 34))}, ${random.pick(['4:00 PM', '5:30 PM', '6:00 PM'])}, ${isTurn(10, 3) ? `${place.city} library` : 'board room'}`,
    ),
    lastBoardMeeting: formatDay(inRandomDays(-50, -3)),
    oversight: open(
      isTurn(30, 11)
        ? formatDay(inDays(-9))
        : isTurn(30, 14)
          ? 'Third Thursday in March'
          : isTurn(7, 3)
            ? toMonthWords(inRandomDays(60, 330))
            : isTurn(3, 1)
              ? format(inRandomDays(-90, -21))
              : `${format(inRandomDays(10, 330))}${random.pick(['', '', ', annual visit'])}`,
    ),
    dass: open(
      isTurn(30, 25)
        ? formatDay(inDays(-12))
        : isTurn(30, 6)
          ? `3/4/${toJune(0).slice(2, 4)} or 4/3/${toJune(0).slice(2, 4)}`
          : format(inRandomDays(8, 400)),
    ),
    accreditationEnds: random.pick([formatDay, formatDay, toWords, (day: string) => `Six-year term, expires ${formatDay(day)}`])(
      toJune(random.int(isClosed ? 0 : 1, 5)),
    ),
    accreditationVisit: open(
      isTurn(30, 9)
        ? 'TBD'
        : isTurn(30, 23)
          ? `Spring ${toJune(0).slice(0, 4)}`
          : isTurn(5, 2)
            ? toMonthWords(inRandomDays(60, 600))
            : format(inRandomDays(40, 600)),
    ),
    leadershipVisit: open(formatDay(visit)),
    leadershipReport: open(isTurn(30, 2) ? `Visit ${formatDay(visit)} + 30 days` : format(addDays(visit, 30))),
    fundingEnds: formatDay(fundingEnds),
    fundingSubmission: open(formatDay(fundingSubmission)),
    audit: open(isTurn(10, 1) ? `${fiscalYear(1)}: extension granted` : `${fiscalYear(0)}: due 12/15/${auditYear}`),
    mouTerm: `07/01/${termStartYear} to ${formatDay(isTurn(4, 2) && !isClosed ? toJune(0) : expires)}`,
    petitionTerm: `${termYears} years, 07/01/${termStartYear} to ${formatDay(expires)}`,
  }
}

/** The term of a member of the authorizer's board, in one of several notations. */
export const createBoardTerm = (plan: Plan, charter: PlannedCharter, turn: number): string | null => {
  const random = createRandom(plan.seed, 'board term', charter.index, turn)
  if (random.chance(0.15)) return null
  const [start, end] = [toIsoDay(plan.day, -random.int(100, 900)), toIsoDay(plan.day, random.int(60, 1300))]
  if (charter.index % 25 === 12 && turn === 0) return `${formatDay(start)} to ${formatDay(toIsoDay(plan.day, -16))}`
  return random.pick([
    `${formatDay(start)} to ${formatDay(end)}`,
    `${toShort(start)}-${toShort(end)}`,
    `${toMonthWords(start)} to ${toMonthWords(end)}`,
    `Through ${toWords(end)}`,
  ])
}
