import { sql } from 'kysely'

import { CHECKED_KINDS, type CheckedKind } from '../../../contract/checks.ts'
import { isEmail } from '../../../contract/emails.ts'
import { tryLock, type Tx } from '../../../database/connection.server.ts'
import { LOCKS } from '../../../database/locks.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { MailFact } from '../../../platform/server/mail/layout.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import { listLeftAddresses, readRecipients, type Recipients } from '../../deadlines/reminders/queries.server.ts'
import { type CheckedRow, getCheckIndex } from './check-index.server.ts'
import { buildCheckMail, type DueRecordLine } from './mails.server.ts'
import { getRecordName, listAnswering } from './queries.server.ts'
import { canEdit, findDueMail, findMailPause, getDueMoment, type SentMails } from './rules.ts'

/** The facts of a record shown in an email, for each kind; supplied by the features of the records. */
export type ListFacts = Readonly<Record<CheckedKind, (model: ReadModel, _id: string) => readonly MailFact[]>>

/** A run checks again after this time, even if nothing has changed. */
const MAX_WAIT_MS = 10 * 60_000
/** Email services limit senders to about thirty emails a minute, and emails about requests and deadlines wait behind these in the queue. */
const MAX_MAILS_PER_RUN = 30
const NEVER_CHECKED = '-infinity'

interface DueRecord {
  readonly kind: CheckedKind
  readonly row: CheckedRow
}

/** A recipient: their email address, and their name in the directory. */
interface Recipient {
  readonly address: string
  readonly name: string | null
  readonly records: { readonly due: DueRecord; readonly reason: DueRecordLine['reason'] }[]
}

/** People who may edit a kind, except people who left. */
const listEditors = async (model: ReadModel, recipients: Recipients, kind: CheckedKind): Promise<string[]> => {
  const left = await listLeftAddresses(model)
  return recipients
    .all()
    .filter(({ level, address }) => canEdit(level, kind) && isEmail(address))
    .map(({ address }) => address)
    .filter((address) => !left.has(address.toLowerCase()))
}

/** The recipients of each record: the people responsible for it or, if they have no address, people who can edit it. */
const groupByAddress = async (model: ReadModel, recipients: Recipients, due: readonly DueRecord[]): Promise<Map<string, Recipient>> => {
  const pause = createTimeSlices()
  const byAddress = new Map<string, Recipient>()
  const editors = new Map<CheckedKind, readonly string[]>()
  const add = (address: string, name: string | null, one: DueRecord, reason: DueRecordLine['reason']): void => {
    const key = address.toLowerCase()
    const known = byAddress.get(key) ?? { address, name, records: [] }
    byAddress.set(key, known)
    known.records.push({ due: one, reason })
  }
  for (const one of due) {
    await pause()
    const people = listAnswering(model, one.kind, one.row._id).flatMap((_id) => {
      const person = model.table('person').get(_id)
      return person?.leftAt === null ? [person] : []
    })
    let isReachable = false
    for (const { email, name } of people) {
      if (email === null || !isEmail(email)) continue
      isReachable = true
      if (recipients.find(email).checks) add(email, name, one, one.kind === 'person' ? 'self' : 'leadership')
    }
    if (isReachable) continue
    const ofKind = editors.get(one.kind) ?? (await listEditors(model, recipients, one.kind))
    editors.set(one.kind, ofKind)
    for (const address of ofKind) if (recipients.find(address).checks) add(address, null, one, 'editor')
  }
  return byAddress
}

const toSentKey = (recipient: string, { row }: DueRecord): string => `${recipient} ${row._id} ${row.checkedAt ?? NEVER_CHECKED}`

/** Emails sent about these records since their last checks, by recipient, record and check. */
const readSentMails = async (tx: Tx, due: readonly DueRecord[]): Promise<ReadonlyMap<string, SentMails>> => {
  const { rows } = await sql<{ key: string; isSecond: boolean; at: Date }>`
    select recipient || ' ' || record || ' ' || (to_jsonb("checkedAt") #>> '{}') as key, "isSecond", at
    from check_mail where record = any(${due.map(({ row }) => row._id)}::text[])`.execute(tx)
  const sent = new Map<string, { first: Date | null; second: Date | null }>()
  for (const { key, isSecond, at } of rows) {
    const known = sent.get(key) ?? { first: null, second: null }
    sent.set(key, known)
    known[isSecond ? 'second' : 'first'] = at
  }
  return sent
}

const readLastMails = async (tx: Tx, recipients: readonly string[]): Promise<ReadonlyMap<string, Date>> => {
  const { rows } = await sql<{ recipient: string; at: Date }>`
    select recipient, max(at) as at from check_mail where recipient = any(${recipients}::text[]) group by recipient`.execute(tx)
  return new Map(rows.map(({ recipient, at }) => [recipient, at]))
}

interface ToSend {
  readonly due: DueRecord
  readonly reason: DueRecordLine['reason']
  readonly isSecond: boolean
}

/** Stores what an email asks about. A duplicate fails, together with the email. */
const insertSentMails = async (tx: Tx, recipient: string, all: readonly ToSend[], mail: string, at: Date): Promise<void> => {
  await sql`
    insert into check_mail (kind, record, recipient, "checkedAt", "isSecond", mail, at)
    select kind, record, ${recipient}, "checkedAt", "isSecond", ${mail}::uuid, ${at}::timestamptz
    from unnest(${all.map(({ due }) => due.kind)}::text[], ${all.map(({ due }) => due.row._id)}::text[],
      ${all.map(({ due }) => due.row.checkedAt ?? NEVER_CHECKED)}::timestamptz[], ${all.map(({ isSecond }) => isSecond)}::boolean[])
      as given (kind, record, "checkedAt", "isSecond")`.execute(tx)
}

/** The time until which a server has nothing to send, unless something changes. */
const waits = new WeakMap<ReadModel, { readonly key: string; readonly until: Date }>()

/**
 * Asks people to check due records: one email per person, at most once a week, about all records that they were not asked about since the last check,
 * or were first asked about two weeks ago. Servers take turns; sent emails are stored in the same transaction as the email itself. If there are many
 * emails, later runs send the rest. Returns the number of emails.
 */
export const sendCheckMails = async (context: AppContext, listFacts: ListFacts): Promise<number> => {
  const { configuration, db, readModel: model } = context
  const index = await getCheckIndex(context)
  const intervals = await index.getIntervals()
  const now = context.now()
  const key = `${model.revision} ${index.settingsRevision}`
  const wait = waits.get(model)
  if (wait?.key === key && now < wait.until) return 0
  const due = CHECKED_KINDS.flatMap((kind) => {
    const moment = getDueMoment(intervals[kind], now)
    if (moment === undefined) return []
    return index.listNotCheckedSince(kind, moment).map((_id): DueRecord => ({ kind, row: model.table(kind).need(_id) as CheckedRow }))
  })
  let until = new Date(now.getTime() + MAX_WAIT_MS)
  const waitFor = (moment: Date | null): void => {
    if (moment !== null && moment < until) until = moment
  }
  const count = await db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, LOCKS.checks))) return null
    if (due.length === 0) return 0
    const byAddress = await groupByAddress(model, await readRecipients(tx, configuration), due)
    const sent = await readSentMails(tx, due)
    const last = await readLastMails(tx, [...byAddress.keys()])
    let mails = 0
    for (const [recipient, { address, name, records }] of byAddress) {
      const toSend: ToSend[] = []
      for (const { due: one, reason } of records) {
        const next = findDueMail(sent.get(toSentKey(recipient, one)) ?? { first: null, second: null }, now)
        if (next === 'first' || next === 'second') toSend.push({ due: one, reason, isSecond: next === 'second' })
        else waitFor(next)
      }
      if (toSend.length === 0) continue
      const pause = findMailPause(last.get(recipient) ?? null, now)
      waitFor(pause)
      if (pause !== null) continue
      if (mails === MAX_MAILS_PER_RUN) {
        waitFor(now)
        break
      }
      const mail = buildCheckMail(
        toSend.map(({ due: { kind, row }, reason }) => ({
          kind,
          _id: row._id,
          slug: row.slug,
          name: getRecordName(row),
          checkedAt: row.checkedAt,
          checkedBy: row.checkedBy,
          reason,
        })),
        {
          recipient: address,
          name,
          publicUrl: configuration.publicUrl,
          timeZone: configuration.timeZone,
          intervals,
          isSecond: toSend.every(({ isSecond }) => isSecond),
          listFacts: (kind, _id) => listFacts[kind](model, _id),
        },
      )
      await insertSentMails(tx, recipient, toSend, await context.mail.enqueue(tx, mail), now)
      mails++
    }
    return mails
  })
  // Another server held the lock: what it sent is read the next time.
  if (count === null) return 0
  waits.set(model, { key, until })
  if (count > 0) context.mail.wake()
  return count
}
