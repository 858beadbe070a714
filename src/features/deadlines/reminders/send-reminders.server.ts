import { can } from '../../../contract/capabilities.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { MAX_LEAD_DAYS } from '../../../contract/deadlines.ts'
import { isEmail } from '../../../contract/emails.ts'
import { tryLock, type Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getReadableDeadlines, listContradictions, listOpen, listProposals, listUnread } from '../deadlines/queries.server.ts'
import { addDays } from '../deadlines/rules.ts'
import { DIGEST_DAYS } from './channel-deadlines.server.ts'
import { buildDigest, buildReminder, type MailedDeadline } from './mails.server.ts'
import { insertReminders, saveRun } from './mutations.server.ts'
import {
  type DueReminder,
  findUnsent,
  listLeftAddresses,
  readLastRun,
  readRecipients,
  type Recipient,
  type Recipients,
} from './queries.server.ts'
import { findDueDigest, findReminderDay, type LocalTime, MORNING_HOUR, toLocalTime } from './rules.ts'

/** Longer gaps without runs are mentioned in the emails. */
const GAP_MS = 24 * 3_600_000
/** How often a run without emails is stored. */
const NOTE_MS = 10 * 60_000

type ReadableDeadlines = Awaited<ReturnType<typeof getReadableDeadlines>>
type AnyRow = ReadableDeadlines['rows'] extends ReadonlyMap<string, infer R> ? R : never
type DeadlineRow = AnyRow & { date: string }

/** An open deadline, and the address of the responsible person if they may read it. */
interface OwnedDeadline {
  readonly row: DeadlineRow
  readonly address: string | null
  /** Why the responsible person gets no email about it. */
  readonly problem: string | null
}

const findAddress = (view: ReadableDeadlines, recipients: Recipients, row: AnyRow): Omit<OwnedDeadline, 'row'> => {
  const responsible = view.findResponsible(row)
  if (!responsible) return { address: null, problem: null }
  const { name, email } = view.model.table('person').need(responsible.person)
  if (email === null || !isEmail(email)) return { address: null, problem: `${name} has no email address` }
  const { level } = recipients.find(email)
  const mayRead = view.isVisible(row, { mayReadAffairs: can(level, 'read a charter affair'), person: responsible.person })
  return mayRead ? { address: email, problem: null } : { address: null, problem: `${name} may not read charter affairs` }
}

const toOwned = (view: ReadableDeadlines, recipients: Recipients, row: DeadlineRow): OwnedDeadline => ({
  row,
  ...findAddress(view, recipients, row),
})

interface Due extends DueReminder {
  readonly row: DeadlineRow
}

/** The open deadlines with a responsible person whose reminders are due by now, sent or not. */
const listDue = (view: ReadableDeadlines, open: readonly DeadlineRow[], now: LocalTime, timeZone: string): Due[] => {
  const horizon = addDays(view.today, MAX_LEAD_DAYS)
  return open.flatMap((row) => {
    if (row.date > horizon && row.snoozedUntil === null) return []
    if (view.findResponsible(row) === undefined) return []
    const { leadDays, since } = view.getReminderSettings(row)
    const times = { date: row.date, leadDays, since: toIsoDay(since, timeZone), snoozedUntil: row.snoozedUntil }
    const day = findReminderDay(times, now)
    return day === null ? [] : [{ deadline: row._id, date: row.date, day, row }]
  })
}

const inOrder = (rows: readonly OwnedDeadline[]): OwnedDeadline[] =>
  rows.toSorted((a, b) => (a.row.date < b.row.date ? -1 : a.row.date > b.row.date ? 1 : a.row._id < b.row._id ? -1 : 1))

/** The data from which the emails of a run are built. */
interface RoundFacts {
  readonly context: AppContext
  readonly view: ReadableDeadlines
  readonly now: Date
  readonly recipients: Recipients
  readonly owned: readonly OwnedDeadline[]
  /** The email addresses of those responsible for dates to confirm; null where no one gets an email. */
  readonly proposed: readonly (string | null)[]
  readonly monday: string | null
  readonly missedSince: string | null
}

const isOf = (address: string) => (owned: OwnedDeadline) => owned.address?.toLowerCase() === address.toLowerCase()

const toMailed = ({ view }: RoundFacts, owned: OwnedDeadline, address: string): MailedDeadline => ({
  deadline: view.toDeadline(owned.row),
  isOwn: isOf(address)(owned),
  problem: owned.problem,
})

/** The digest for one address, with its due reminders; null if there is nothing to say. */
const buildDigestFor = (facts: RoundFacts, { address, level }: Recipient, reminded: ReadonlySet<string>, monday: string) => {
  const { view, owned, proposed, context, missedSince } = facts
  const isManager = can(level, 'manage deadlines')
  const until = addDays(view.today, DIGEST_DAYS)
  const isShown = (one: OwnedDeadline): boolean =>
    one.address !== null && (isManager || isOf(address)(one)) && (one.row.date <= until || reminded.has(one.row._id))
  const deadlines = owned.filter(isShown)
  const unassigned = isManager ? owned.filter((one) => one.address === null) : []
  const toConfirm = isManager ? proposed : proposed.filter((of) => of?.toLowerCase() === address.toLowerCase())
  if (deadlines.length + unassigned.length + toConfirm.length === 0) return null
  return buildDigest(
    {
      monday,
      isManager,
      deadlines: inOrder(deadlines).map((one) => toMailed(facts, one, address)),
      unassigned: inOrder(unassigned).map((one) => toMailed(facts, one, address)),
      proposed: toConfirm.length,
      unread: isManager ? listUnread(view).length : 0,
      contradictions: isManager ? listContradictions(view).length : 0,
    },
    { recipient: address, publicUrl: context.configuration.publicUrl, today: view.today, missedSince },
  )
}

const buildReminderFor = (facts: RoundFacts, address: string, reminded: ReadonlySet<string>) => {
  const { owned, view, context, missedSince } = facts
  const deadlines = inOrder(owned.filter(({ row }) => reminded.has(row._id))).map((one) => toMailed(facts, one, address))
  return buildReminder(deadlines, { recipient: address, publicUrl: context.configuration.publicUrl, today: view.today, missedSince })
}

/** The recipients of digests: people who manage deadlines, and those responsible for some. */
const listDigestRecipients = async ({ recipients, owned, proposed, view }: RoundFacts): Promise<Recipient[]> => {
  const left = await listLeftAddresses(view.model)
  const managers = recipients
    .all()
    .filter(({ level, address }) => can(level, 'manage deadlines') && isEmail(address) && !left.has(address.toLowerCase()))
  const addresses = [...owned.map(({ address }) => address), ...proposed]
  const responsible = addresses.flatMap((address) => (address === null ? [] : [recipients.find(address)]))
  return [...new Map([...managers, ...responsible].map((one) => [one.address.toLowerCase(), one])).values()].filter(({ digest }) => digest)
}

/** Stores the emails of a run, and that they were sent: one per address. Returns their number. */
const enqueueMails = async (tx: Tx, facts: RoundFacts, unsent: readonly Due[]): Promise<number> => {
  const { context, owned, recipients, monday, now } = facts
  const addresses = new Map(owned.map(({ row, address }) => [row._id, address]))
  const byAddress = Map.groupBy(unsent, ({ deadline }) => addresses.get(deadline)?.toLowerCase() ?? '')
  const digests = new Map(monday === null ? [] : (await listDigestRecipients(facts)).map((one) => [one.address.toLowerCase(), one]))
  let count = 0
  for (const key of new Set([...byAddress.keys(), ...digests.keys()])) {
    const due = byAddress.get(key) ?? []
    const recipient = digests.get(key) ?? recipients.find(addresses.get(due[0]?.deadline ?? '') ?? key)
    const reminded = new Set(recipient.reminders ? due.map(({ deadline }) => deadline) : [])
    const digest = monday !== null && digests.has(key) ? buildDigestFor(facts, recipient, reminded, monday) : null
    const mail = digest ?? (reminded.size > 0 ? buildReminderFor(facts, recipient.address, reminded) : null)
    const _id = mail && (await context.mail.enqueue(tx, mail))
    await insertReminders(tx, due, { recipient: recipient.address, mail: reminded.size > 0 ? _id : null, at: now })
    if (mail) count++
  }
  return count
}

/**
 * Sends due reminders and digests: one email per person. Servers take turns; sent reminders are stored in the same transaction as the emails. Returns
 * the number of emails.
 */
export const sendReminders = async (context: AppContext): Promise<number> => {
  const { configuration, db } = context
  const view = await getReadableDeadlines(context)
  const now = context.now()
  const time = toLocalTime(now, configuration.timeZone)
  // The same until something changes, or until the morning.
  const open = view.remember('open deadlines', () => listOpen(view))
  const due = view.remember(`due reminders ${time.hour >= MORNING_HOUR}`, () => listDue(view, open, time, configuration.timeZone))
  const count = await db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, LOCKS.reminders))) return 0
    const last = await readLastRun(tx)
    const monday = findDueDigest(time, last ? toLocalTime(last.at, configuration.timeZone) : null, last?.digest ?? null)
    const unsent = await findUnsent(tx, due)
    const isNoted = last && monday === null && now.getTime() - last.at.getTime() < NOTE_MS
    if (unsent.length === 0 && isNoted) return 0
    const recipients = await readRecipients(tx, configuration)
    const reachable = unsent.filter(({ row }) => toOwned(view, recipients, row).address !== null)
    if (reachable.length === 0 && isNoted) return 0
    const facts: RoundFacts = {
      context,
      view,
      now,
      recipients,
      owned: open.map((row) => toOwned(view, recipients, row)),
      proposed: listProposals(view).map((row) => findAddress(view, recipients, row).address),
      monday,
      missedSince: last && now.getTime() - last.at.getTime() > GAP_MS ? toIsoDay(last.at, configuration.timeZone) : null,
    }
    const sent = await enqueueMails(tx, facts, reachable)
    await saveRun(tx, now, monday)
    return sent
  })
  if (count > 0) context.mail.wake()
  return count
}
