import { ACTORS } from './accounts.ts'
import { listBusySites } from './activity-people.ts'
import { pickOfficeHour } from './calendar.ts'
import { getEmployeeName } from './people.ts'
import type { Plan } from './plan.ts'
import { createRandom, generateId } from './random.ts'
import { insertActivity, type Step, update } from './rows.ts'

interface Topic {
  readonly kind: 'change' | 'support'
  readonly text: string
  readonly word: string
  readonly state: 'done' | 'declined'
}

const TOPICS: readonly Topic[] = [
  { kind: 'change', state: 'done', text: 'Our front desk moved to the first floor. Please change the description.', word: 'Changed. Thank you.' },
  { kind: 'change', state: 'done', text: 'The hours for the summer are wrong, we close at 4:00PM.', word: 'Corrected for the summer.' },
  { kind: 'change', state: 'done', text: 'Our registrar is missing in the list of staff.', word: 'She is in the list now.' },
  { kind: 'change', state: 'declined', text: 'Please remove our phone number, families should use the form.', word: 'Every open site has a number in the directory. We added the form to the description.' },
  { kind: 'support', state: 'done', text: 'I cannot open the list of deadlines.', word: 'Your role did not include it. Please sign out and in again.' },
  { kind: 'support', state: 'done', text: 'How do I print the staff of my region?', word: 'Open the region, choose Calls and then Print.' },
  { kind: 'support', state: 'declined', text: 'Can the directory show the schedules of students?', word: 'No, they are in the student information system.' },
] // prettier-ignore

const SUGGESTED = [
  { path: 'address.closures', before: 'Closed on Fridays.', suggested: 'Closed on the first Friday of each month.' },
  { path: 'address.end_time', before: '5:00PM', suggested: '6:00PM' },
  { path: 'address.description', before: 'Second floor.', suggested: 'Second floor, the elevator is behind the reception.' },
] as const

/** The last of them is this old: what is younger is told in the activity of the last weeks. */
const LATEST = 50
const EVERY_DAYS = 9

/**
 * Requests and suggestions of the past years, all answered. They come without an account, because accounts are younger. The network grows, and so
 * does their number, while the time to an answer becomes shorter.
 */
export const listAnsweredSteps = (plan: Plan): Step[] => {
  const random = createRandom(plan.seed, 'answered')
  const sites = listBusySites(plan)
  const steps: Step[] = []
  for (let daysAgo = 1000; daysAgo > LATEST; daysAgo -= random.int(2, EVERY_DAYS + Math.floor(daysAgo / 60))) {
    const site = random.pick(sites)
    if (site.entered < daysAgo + 20) continue
    const days = random.int(0, 2 + Math.floor(daysAgo / 90)) + (random.chance(0.15) ? random.int(3, 9) : 0)
    const _id = generateId(plan.seed, 'answered request', daysAgo)
    const topic = random.pick(TOPICS)
    const isSuggestion = random.chance(0.35)
    const hour = createRandom(plan.seed, 'answered hour', daysAgo)
    const createdAt = pickOfficeHour(hour, plan.day, daysAgo)
    const planned = pickOfficeHour(hour, plan.day, Math.max(daysAgo - days, LATEST - 10))
    const answeredAt = new Date(Math.max(planned.getTime(), createdAt.getTime() + 3_600_000))
    const answeredBy = random.pick([ACTORS.directory, ACTORS.directory, ACTORS.facilities])
    const name = getEmployeeName(plan.seed, site.firstEmployee)
    const field = random.pick(SUGGESTED)
    const isAccepted = random.chance(0.75)
    const word = isAccepted ? null : 'The site is listed as its lease says.'
    steps.push(
      {
        at: createdAt,
        by: name,
        sites: 0,
        writes: () => [
          insertActivity('request', [
            {
              _id,
              kind: isSuggestion ? 'change' : topic.kind,
              site: site._id,
              location: site.displayName,
              text: isSuggestion ? 'Please correct this.' : topic.text,
              name,
              createdAt,
              openFields: isSuggestion ? 1 : null,
            },
          ]),
          ...(isSuggestion
            ? [
                insertActivity('proposal', [{ _id, kind: 'site', record: site._id, basedOn: null, note: null }]),
                insertActivity('proposal_field', [
                  {
                    proposal: _id,
                    ...field,
                    position: 0,
                    state: isAccepted ? 'accepted' : 'declined',
                    word,
                    decidedBy: answeredBy,
                    decidedAt: answeredAt,
                  },
                ]),
              ]
            : []),
        ],
      },
      {
        at: answeredAt,
        by: answeredBy,
        sites: 0,
        writes: () => [
          update('request', [
            isSuggestion
              ? { _id, state: 'done' as const, openFields: 0, answeredBy, answeredAt }
              : { _id, state: topic.state, word: topic.word, answeredBy, answeredAt },
          ]),
        ],
      },
    )
  }
  return steps
}
