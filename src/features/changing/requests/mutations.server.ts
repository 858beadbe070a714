import { type RawBuilder, sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { invalidFields, toFieldErrors, notFound, Problem } from '../../../contract/problem.ts'
import { isUuid } from '../../../contract/slugs.ts'
import { formatArchived } from '../../../database/archived-records.server.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { restartMail } from '../../../platform/server/mail/store.ts'
import { listRecipients } from '../../../platform/server/request-recipients.ts'
import { type answerRequest, AnonymousSupportRequest, type sendChangeRequest, type sendSupportRequest, SupportRequest } from './contract.ts'
import { buildAnswerMail, type MailRequest, buildRequestMail } from './mails.server.ts'

/** The sender is the signed-in user if there is one; name and email of the body are stored as claims only. */
const getSender = (user: SignedIn | null, claimed: { name?: string | null | undefined; email?: string | null | undefined }) => {
  const [claimedName, claimedEmail] = [claimed.name || null, claimed.email || null]
  return {
    account: user?.account ?? null,
    name: user?.name ?? claimedName,
    email: user?.azureID ?? claimedEmail,
    claimedName,
    claimedEmail,
  }
}

interface RequestSite {
  readonly _id: string
  readonly slug: string
  readonly displayName: string
  readonly region: string | null
}

interface RequestSubject {
  readonly site: RequestSite | null
  /** A message for sender and recipients if the given name does not identify one site. */
  readonly notice: string | null
}

const hasName = (name: string, location: string | undefined) => sql<boolean>`lower(btrim(${sql.ref(name)})) = lower(${location})`

/** The subject of a change request: the site with that `_id` or slug, otherwise the only site with that name. */
export const findSubject = async (
  db: Queryable,
  site: string | null | undefined,
  location: string | null | undefined,
): Promise<RequestSubject> => {
  const sites = db.selectFrom('site').select(['_id', 'slug', 'displayName', 'region'])
  if (site) {
    const _id = await findRecordId(db, 'site', site).catch((error: unknown) => {
      throw error instanceof Problem && error.status === 404
        ? invalidFields([{ path: 'site', message: 'This site does not exist' }])
        : error
    })
    const found = await sites.where('_id', '=', _id).where('archivedAt', 'is', null).executeTakeFirst()
    if (!found) throw invalidFields([{ path: 'site', message: `${formatArchived('site')}. Restore it first.` }])
    return { site: found, notice: null }
  }
  if (!location) return { site: null, notice: null }
  const named = await sites
    .where('archivedAt', 'is', null)
    .where(({ or }) => or([hasName('displayName', location), hasName('name', location)]))
    .limit(2)
    .execute()
  const [first] = named
  if (first && named.length === 1) return { site: first, notice: null }
  if (first) return { site: null, notice: `More than one site is named “${location}”, so the request is not linked to a site.` }
  const other = await db
    .selectFrom('charter')
    .select('_id')
    .where('archivedAt', 'is', null)
    .where(hasName('name', location))
    .union(db.selectFrom('brand').select('_id').where('archivedAt', 'is', null).where(hasName('brandName', location)))
    .executeTakeFirst()
  return { site: null, notice: other ? null : `No site named “${location}” was found, so the request is not linked to a site.` }
}

export interface RequestWithMail {
  readonly _id: string
  readonly mail: string
  readonly notice: string | null
}

const insertRequest = async (
  tx: Tx,
  { configuration, mail }: AppContext,
  values: Omit<MailRequest, '_id' | 'site' | 'isSignedIn'> & ReturnType<typeof getSender>,
  { site, notice }: RequestSubject,
): Promise<RequestWithMail> => {
  const { _id } = await tx
    .insertInto('request')
    .values({ ...values, site: site?._id ?? null })
    .returning('_id')
    .executeTakeFirstOrThrow()
  const recipients = await listRecipients(tx, configuration, { kind: values.kind, region: site?.region ?? null })
  const message = buildRequestMail(
    { ...values, _id, site, isSignedIn: values.account !== null },
    notice,
    recipients,
    configuration.publicUrl,
  )
  return { _id, mail: await mail.enqueue(tx, message), notice }
}

/** Inserts a change request and its email. */
export const insertChangeRequest = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  { site: named, location, correctText, ...sender }: CheckedBody<typeof sendChangeRequest>,
): Promise<RequestWithMail> => {
  const about = await findSubject(tx, named, location)
  return insertRequest(
    tx,
    context,
    { kind: 'change', text: correctText ?? '', location: location || about.site?.displayName || null, ...getSender(user, sender) },
    about,
  )
}

/** Inserts a support request and its email. */
export const insertSupportRequest = (
  tx: Tx,
  context: AppContext,
  user: SignedIn | null,
  body: CheckedBody<typeof sendSupportRequest>,
): Promise<RequestWithMail> => {
  const checked = (user === null ? AnonymousSupportRequest : SupportRequest).safeParse(body)
  if (!checked.success) throw invalidFields(toFieldErrors(checked.error))
  const { request, ...sender } = checked.data
  const values = { kind: 'support' as const, text: request, location: null, ...getSender(user, sender) }
  return insertRequest(tx, context, values, { site: null, notice: null })
}

const lockRequest = async (tx: Tx, _id: string, ifMatchVersion?: number) => {
  const request = isUuid(_id) ? await tx.selectFrom('request').selectAll().where('_id', '=', _id).forUpdate().executeTakeFirst() : undefined
  if (!request) throw notFound('Request')
  assertVersion(request, ifMatchVersion)
  return request
}

const getSite = async (tx: Tx, _id: string | null): Promise<RequestSite | null> =>
  _id === null
    ? null
    : ((await tx.selectFrom('site').select(['_id', 'slug', 'displayName', 'region']).where('_id', '=', _id).executeTakeFirst()) ?? null)

/** Cancels earlier answers that are not sent yet, except one that is being sent right now. */
const withdrawAnswers = async (tx: Tx, request: string): Promise<void> => {
  await sql`update mail set "failedAt" = now(), problem = 'Another answer came after it'
    where _id in (select _id from mail where request = ${request} and kind = 'answer' and "sentAt" is null for update skip locked)`.execute(
    tx,
  )
}

/** Maximum number of answers per day to one unverified address, over all requests. */
const MAX_UNVERIFIED_PER_DAY = 3

/** The address without its plus tag, which most mail servers deliver to the same mailbox. */
const normalizeMailbox = (address: RawBuilder<string>) => sql`regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

/** Whether an unverified address has reached its daily limit, so that requests cannot be used to flood it with email. */
const hasReachedDailyLimit = async (tx: Tx, address: string): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('answers ' || ${normalizeMailbox(sql`${address}::text`)}, 0))`.execute(tx)
  const { rows } = await sql`
    select from mail join request on request._id = mail.request
    where mail.kind = 'answer' and request.account is null and mail."createdAt" > now() - interval '1 day'
      and ${normalizeMailbox(sql`mail.recipients[1]`)} = ${normalizeMailbox(sql`${address}::text`)}
    limit ${MAX_UNVERIFIED_PER_DAY}`.execute(tx)
  return rows.length >= MAX_UNVERIFIED_PER_DAY
}

/** Answers a request and enqueues the email to its sender; does nothing if the answer is unchanged. */
export const saveAnswer = async (
  tx: Tx,
  { configuration, mail }: AppContext,
  user: SignedIn,
  _id: string,
  ifMatchVersion: number | undefined,
  { state, word }: CheckedBody<typeof answerRequest>,
): Promise<void> => {
  const request = await lockRequest(tx, _id, ifMatchVersion)
  if (request.openFields !== null) throw new Problem(409, 'This request suggests fields', { detail: 'Accept or decline each of them.' })
  if (request.state === state && request.word === word) return
  const answered = state === 'open' ? { answeredBy: null, answeredAt: null } : { answeredBy: user.name, answeredAt: sql<Date>`now()` }
  await tx
    .updateTable('request')
    .set({ state, word, ...answered })
    .where('_id', '=', _id)
    .execute()
  await withdrawAnswers(tx, _id)
  if (state === 'open') return
  const site = await getSite(tx, request.site)
  const message = buildAnswerMail(
    { ...request, site, isSignedIn: request.account !== null },
    { state, word, answeredBy: user.name },
    configuration.publicUrl,
  )
  if (!message || (request.account === null && (await hasReachedDailyLimit(tx, message.recipients[0] ?? '')))) return
  await mail.enqueue(tx, message)
}

/** Restarts the unsent emails of a request with the current recipients, and returns the `_id`s of these emails. */
export const restartMails = async (tx: Tx, { configuration }: AppContext, _id: string): Promise<string[]> => {
  const { kind, site, state } = await lockRequest(tx, _id)
  const region = (await getSite(tx, site))?.region ?? null
  // Only the last answer counts.
  const latest = await tx
    .selectFrom('mail')
    .distinctOn('kind')
    .select(['_id', 'kind', 'recipients', 'accepted', 'sentAt'])
    .where('request', '=', _id)
    .orderBy('kind')
    .orderBy('createdAt', 'desc')
    .execute()
  const unsent = latest.filter((one) => one.sentAt === null && (one.kind === 'request' || state !== 'open'))
  for (const one of unsent) {
    const now = one.kind === 'request' ? await listRecipients(tx, configuration, { kind, region }) : []
    await restartMail(tx, one._id, now.length > 0 ? [...new Set([...one.accepted, ...now])] : one.recipients)
  }
  return unsent.map((one) => one._id)
}

/** Assigns recipients to emails of requests that had none: one update for each kind and region. */
export const assignRecipients = async ({ db, configuration }: Pick<AppContext, 'db' | 'configuration'>): Promise<void> => {
  const unaddressed = sql`mail.kind = 'request' and mail.recipients = '{}' and mail."sentAt" is null`
  const { rows } = await sql<{ kind: 'change' | 'support'; region: string | null }>`
    select distinct request.kind, site.region from mail join request on request._id = mail.request left join site on site._id = request.site
    where ${unaddressed}`.execute(db)
  for (const { kind, region } of rows) {
    const recipients = await listRecipients(db, configuration, { kind, region })
    if (recipients.length > 0)
      await sql`update mail set recipients = ${recipients}::text[], "nextTryAt" = now() - interval '1 hour'
        from request left join site on site._id = request.site
        where request._id = mail.request and request.kind = ${kind} and site.region is not distinct from ${region}::text and ${unaddressed}`.execute(
        db,
      )
  }
}
