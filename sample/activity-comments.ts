import { ACTORS } from './accounts.ts'
import { type ActivityContext, listBusySites, type Member, toStep } from './activity-people.ts'
import { hasAffair } from './affair-rows.ts'
import { generateId } from './random.ts'
import { insertActivity, type Step } from './rows.ts'

interface Written {
  readonly kind: 'site' | 'charter_affair' | 'proposal'
  readonly record: string
  readonly by: Member
  readonly daysAgo: number
  /** Whom it mentions at its start. */
  readonly to?: Member
  readonly text: string
}

/** Questions and answers on records and on a suggestion, some of them new for the people they mention. */
export const toCommentSteps = (context: ActivityContext): Step[] => {
  const { plan, members, addressOf } = context
  const sites = listBusySites(plan)
  const [staff, directory, facilities] = [
    members.office('Marisol Vance'),
    members.office(ACTORS.directory),
    members.office(ACTORS.facilities),
  ]
  const affairs = members.office(ACTORS.affairs)
  const charter = plan.charters.find(hasAffair)
  const onSite = (turn: number, comment: Omit<Written, 'kind' | 'record'>): Written[] => {
    const site = sites[turn % sites.length]
    return site ? [{ kind: 'site', record: site._id, ...comment }] : []
  }
  const [asked] = sites
  const principal = asked ? members.principal(asked, addressOf) : staff
  const written: Written[] = [
    ...onSite(0, { by: directory, daysAgo: 8, to: principal, text: 'the landlord writes of Suite 210, the directory says 120. Which one is on the door?' }),
    ...onSite(0, { by: principal, daysAgo: 7, text: 'Suite 120 is right. 210 is the mailbox of the building.' }),
    ...onSite(2, { by: staff, daysAgo: 1, to: facilities, text: 'parents ask whether the side entrance stays closed in winter. Do you know?' }),
    ...onSite(7, { by: facilities, daysAgo: 1, to: staff, text: 'is the new number for families, or only for the office?' }),
    { kind: 'proposal', record: generateId(plan.seed, 'request', 'main line'), by: directory, daysAgo: 1, to: staff, text: 'two numbers were suggested for this site. Do both of them ring at the front desk?' },
    ...(charter
      ? [{ kind: 'charter_affair', record: charter._id, by: facilities, daysAgo: 2, to: affairs, text: 'the county asks for the board minutes of October. Are they posted?' } as const]
      : []),
  ] // prettier-ignore
  return written.map((comment, turn) => toWrittenStep(context, comment, generateId(plan.seed, 'comment', turn)))
}

const toWrittenStep = (context: ActivityContext, { kind, record, by, daysAgo, to, text }: Written, _id: string): Step =>
  toStep(context, by, daysAgo, `comment ${_id}`, (createdAt) => [
    insertActivity('comment', [
      { _id, kind, record, account: by.account, name: by.name, createdAt, text: to ? `@{${to.person}} ${text}` : text },
    ]),
    ...(to ? [insertActivity('comment_recipient', [{ comment: _id, person: to.person, account: null, seenAt: null }])] : []),
  ])
