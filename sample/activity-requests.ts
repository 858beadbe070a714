import { ACTORS } from './accounts.ts'
import { type ActivityContext, type Member, listBusySites, toStep } from './activity-people.ts'
import { toAffairRows, hasAffair } from './affair-rows.ts'
import { toUsDay } from './calendar.ts'
import { getPhone } from './people.ts'
import type { PlannedSite } from './plan.ts'
import { createRandom, generateId } from './random.ts'
import { insertActivity, type Step, update } from './rows.ts'
import { toSiteRow } from './site-rows.ts'

interface Answer {
  readonly daysAgo: number
  readonly by: Member
  readonly state: 'done' | 'declined'
  readonly word: string
}

/** A request in words, and its answer if it has one. */
interface Asked {
  readonly key: string
  readonly kind: 'change' | 'support'
  readonly by: Member
  readonly daysAgo: number
  readonly text: string
  readonly site?: PlannedSite
  readonly answer?: Answer
}

interface SuggestedField {
  readonly path: string
  readonly before: string | null
  readonly suggested: string
  /** Accepted as suggested, or declined for a reason; open otherwise. */
  readonly decision?: 'accepted' | { readonly word: string }
}

/** A suggestion of new values for fields of a record. */
interface Suggestion {
  readonly key: string
  readonly by: Member
  readonly daysAgo: number
  readonly record: { readonly kind: 'site' | 'charter_affair'; readonly _id: string; readonly name: string }
  readonly note: string | null
  readonly summary: string
  readonly fields: readonly SuggestedField[]
  readonly decided?: { readonly daysAgo: number; readonly by: Member }
  /** What someone saved in the same fields meanwhile. */
  readonly changed?: {
    readonly daysAgo: number
    readonly by: Member
    readonly fields: readonly Pick<SuggestedField, 'path' | 'suggested'>[]
  }
}

/** Requests and suggestions of the last weeks, open and answered, in the words of the people at the sites. */
export const toRequestSteps = (context: ActivityContext): Step[] => [
  ...listAsked(context).flatMap((asked) => toAskedSteps(context, asked)),
  ...listSuggestions(context).flatMap((suggestion) => toSuggestionSteps(context, suggestion)),
]

const createCast = (context: ActivityContext) => {
  const { plan, members, addressOf } = context
  const sites = listBusySites(plan)
  const siteAt = (turn: number): PlannedSite => sites[turn % sites.length] as PlannedSite
  /** From that place in the list on, the first site that has a value there: a suggestion replaces something. */
  const siteWith = (turn: number, column: 'phone' | 'end_time' | 'description' | 'closures'): PlannedSite =>
    [...sites.slice(turn), ...sites].find((site) => toSiteRow(plan, site, [])[column] !== null) ?? siteAt(turn)
  return {
    siteAt,
    siteWith,
    principalOf: (turn: number) => members.principal(siteAt(turn), addressOf),
    staff: members.office('Marisol Vance'),
    directory: members.office(ACTORS.directory),
    facilities: members.office(ACTORS.facilities),
    affairs: members.office(ACTORS.affairs),
    founder: members.office(ACTORS.founder),
  }
}

const listAsked = (context: ActivityContext): Asked[] => {
  const { siteAt, principalOf, staff, directory, founder, facilities } = createCast(context)
  return [
    { key: 'sign', kind: 'change', by: principalOf(1), daysAgo: 2, site: siteAt(1), text: 'Our suite number changed when the building was renumbered. The new sign is up; the letter from the landlord is in the office.' },
    { key: 'entrance', kind: 'change', by: staff, daysAgo: 4, site: siteAt(2), text: 'The entrance is on the south side now. Please correct the description, families keep walking around the building.' },
    { key: 'calendar', kind: 'support', by: principalOf(3), daysAgo: 1, text: 'Outlook shows our deadlines on my laptop but not on my phone. Is there a setting I missed?' },
    { key: 'lobby', kind: 'support', by: staff, daysAgo: 3, text: 'Could the call list be sorted by city when it is printed?' },
    {
      key: 'fax', kind: 'change', by: staff, daysAgo: 6, site: siteAt(4), text: 'The fax was disconnected in the summer. Please remove the number.',
      answer: { daysAgo: 5, by: directory, state: 'done', word: 'Removed. Thank you for telling us.' },
    },
    {
      key: 'merge', kind: 'change', by: principalOf(5), daysAgo: 26, site: siteAt(5), text: 'Please delete this site, we moved in with our neighbors.',
      answer: { daysAgo: 24, by: facilities, state: 'declined', word: 'The lease runs until June, so the site stays in the directory. It is marked as closed when the lease ends.' },
    },
    {
      key: 'access', kind: 'support', by: staff, daysAgo: 33, text: 'I need to see the history of a site for the audit in spring.',
      answer: { daysAgo: 32, by: founder, state: 'declined', word: 'The history is open to administrators only. Wendell Brandvold will send you the pages you need.' },
    },
    {
      key: 'photo', kind: 'support', by: principalOf(6), daysAgo: 15, text: 'How do I change the picture of our site?',
      answer: { daysAgo: 15, by: directory, state: 'done', word: 'Send it to us in an answer to this message and we will add it.' },
    },
  ] // prettier-ignore
}

const toAskedSteps = (context: ActivityContext, { key, kind, by, daysAgo, text, site, answer }: Asked): Step[] => {
  const _id = generateId(context.plan.seed, 'request', key)
  const asked = toStep(context, by, daysAgo, `request ${key}`, (at) => [
    insertActivity('request', [
      {
        _id,
        kind,
        account: by.account,
        site: site?._id ?? null,
        location: site?.displayName ?? null,
        text,
        name: by.name,
        email: by.getAddress(),
        createdAt: at,
      },
    ]),
  ])
  if (answer === undefined) return [asked]
  const { state, word } = answer
  const answered = toStep(context, answer.by, answer.daysAgo, `answer ${key}`, (at) => [
    update('request', [{ _id, state, word, answeredBy: answer.by.name, answeredAt: at }]),
  ])
  // Answered on the same day, it is answered an hour later.
  const at = new Date(Math.max(answered.at.getTime(), asked.at.getTime() + 3_600_000))
  return [asked, { ...answered, at }]
}

const listSuggestions = (context: ActivityContext): Suggestion[] => {
  const { plan, members, addressOf } = context
  const { siteWith, staff, directory, facilities } = createCast(context)
  const principalOf = (site: PlannedSite): Member => members.principal(site, addressOf)
  const toSite = (site: PlannedSite): Suggestion['record'] => ({ kind: 'site', _id: site._id, name: site.displayName })
  const newPhone = (site: PlannedSite, salt: string): string => getPhone(createRandom(plan.seed, 'new phone', salt), site.place)
  const valueOf = (site: PlannedSite, column: 'phone' | 'end_time' | 'description' | 'closures'): string | null =>
    toSiteRow(plan, site, [])[column]
  const [contested, described, answered, changed] = [
    siteWith(7, 'end_time'),
    siteWith(8, 'description'),
    siteWith(12, 'closures'),
    siteWith(16, 'closures'),
  ]
  const charter = plan.charters.find(hasAffair)
  const meeting = charter && toAffairRows(plan, charter).affair.overview.next_board_meeting
  const suggestions: Suggestion[] = [
    // Two people with a number for one site.
    {
      key: 'front desk', by: principalOf(contested), daysAgo: 3, record: toSite(contested), summary: 'Suggested: Phone', note: 'From my phone: this is the new line at the front desk.',
      fields: [{ path: 'address.phone', before: valueOf(contested, 'phone'), suggested: newPhone(contested, 'front desk') }],
    },
    {
      key: 'main line', by: staff, daysAgo: 2, record: toSite(contested), summary: 'Suggested: Phone, Closes at', note: null,
      fields: [
        { path: 'address.phone', before: valueOf(contested, 'phone'), suggested: newPhone(contested, 'main line') },
        { path: 'address.end_time', before: valueOf(contested, 'end_time'), suggested: valueOf(contested, 'end_time') === '5:30PM' ? '6:00PM' : '5:30PM' },
      ],
    },
    {
      key: 'description', by: principalOf(described), daysAgo: 1, record: toSite(described), summary: 'Suggested: Description', note: null,
      fields: [{ path: 'address.description', before: valueOf(described, 'description'), suggested: 'Across from the library. Parking is free; the entrance is on the plaza side.' }],
    },
    {
      key: 'answered', by: principalOf(answered), daysAgo: 13, record: toSite(answered), summary: 'Suggested: Phone, Closures', note: 'The number on the sign is the right one.',
      fields: [
        { path: 'address.phone', before: valueOf(answered, 'phone'), suggested: newPhone(answered, 'answered'), decision: 'accepted' },
        { path: 'address.closures', before: valueOf(answered, 'closures'), suggested: 'Closed every Friday.', decision: { word: 'Fridays are appointments only, so the site is open.' } },
      ],
      decided: { daysAgo: 12, by: directory },
    },
    {
      key: 'closures', by: principalOf(changed), daysAgo: 6, record: toSite(changed), summary: 'Suggested: Closures', note: null,
      fields: [{ path: 'address.closures', before: valueOf(changed, 'closures'), suggested: 'Closed from December 21 to January 4.' }],
      changed: { daysAgo: 3, by: facilities, fields: [{ path: 'address.closures', suggested: 'Closed from December 21 to January 8.' }] },
    },
    ...(charter
      ? [
          {
            key: 'board meeting', by: facilities, daysAgo: 2, summary: 'Suggested: Next board meeting', note: 'The county moved its meetings; see the notice of this week.',
            record: { kind: 'charter_affair', _id: charter._id, name: charter.name },
            fields: [{ path: 'overview.next_board_meeting', before: meeting ?? null, suggested: `${toUsDay(plan.day, 26)}, 5:30 PM` }],
          } as const,
        ]
      : []),
  ] // prettier-ignore
  return suggestions
    .map((suggestion) => ({ ...suggestion, fields: suggestion.fields.filter(({ before }) => before !== null) }))
    .filter(({ fields }) => fields.length > 0)
}

const toSuggestionSteps = (context: ActivityContext, suggestion: Suggestion): Step[] => {
  const { key, by, record, note, summary, fields, decided, changed } = suggestion
  const _id = generateId(context.plan.seed, 'request', key)
  const decision =
    decided &&
    toStep(
      context,
      decided.by,
      decided.daysAgo,
      `decision ${key}`,
      (at) => [
        update('site', [{ _id: record._id, ...toColumns(fields.filter(({ decision }) => decision === 'accepted')) }]),
        update('request', [{ _id, state: 'done', openFields: 0, answeredBy: decided.by.name, answeredAt: at }]),
      ],
      { suggestedBy: by.name },
    )
  const decidedColumns = { decidedBy: decision?.by ?? null, decidedAt: decision?.at ?? null }
  const sent = toStep(context, by, suggestion.daysAgo, `suggestion ${key}`, (at) => [
    insertActivity('request', [
      {
        _id,
        kind: 'change',
        account: by.account,
        site: record.kind === 'site' ? record._id : null,
        location: record.name,
        text: note ?? summary,
        name: by.name,
        email: by.getAddress(),
        createdAt: at,
        openFields: fields.length,
      },
    ]),
    insertActivity('proposal', [{ _id, kind: record.kind, record: record._id, basedOn: null, note }]),
    insertActivity(
      'proposal_field',
      fields.map(({ path, before, suggested, decision: answer }, position) => ({
        proposal: _id,
        path,
        position,
        before,
        suggested,
        state: answer === undefined ? 'open' : answer === 'accepted' ? 'accepted' : 'declined',
        word: typeof answer === 'object' ? answer.word : null,
        ...decidedColumns,
      })),
    ),
  ])
  const change =
    changed &&
    toStep(context, changed.by, changed.daysAgo, `changed ${key}`, () => [
      update('site', [{ _id: record._id, ...toColumns(changed.fields) }]),
    ])
  return [sent, decision, change].filter((step) => step !== undefined)
}

/** The columns of a site by the paths of its edit call. */
const toColumns = (fields: readonly Pick<SuggestedField, 'path' | 'suggested'>[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ path, suggested }) => [path.replace('address.', ''), suggested]))
