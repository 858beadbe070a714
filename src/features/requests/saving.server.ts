import { sql } from 'kysely'

import type { Queryable, Tx } from '../../database/connection.server.ts'
import { idOf } from '../../database/lookup.server.ts'
import type { CheckedBody } from '../../platform/contract/call.ts'
import { badFields, notFound, Problem, stale } from '../../platform/contract/problem.ts'
import { isUuid } from '../../platform/contract/slugs.ts'
import type { House, SignedIn } from '../../platform/server/house.ts'
import { recipientsOf } from '../settings/queries.server.ts'
import type { answerRequest, sendChangeRequest, sendSupportRequest } from './contract.ts'
import { answerLetter, type LetterRequest, requestLetter } from './letters.server.ts'

/** Who asks is what the session says, where there is one; what the body says is kept as text only (D41). */
const askerOf = (user: SignedIn | null, said: { name?: string | undefined; email?: string | undefined }) => {
  const [claimedName, claimedEmail] = [said.name || null, said.email || null]
  return {
    account: user?.account ?? null,
    name: user?.name ?? claimedName,
    email: user?.azureID ?? claimedEmail,
    claimedName,
    claimedEmail,
  }
}

interface SiteMeant {
  readonly _id: string
  readonly slug: string
  readonly displayName: string
  readonly region: string | null
}

/** The site a change is asked for: the one that is named by `_id` or slug, else the only one of that name (D45). */
const siteMeant = async (db: Queryable, site: string | null | undefined, location: string | undefined): Promise<SiteMeant | null> => {
  const sites = db.selectFrom('site').select(['_id', 'slug', 'displayName', 'region'])
  if (site) {
    const _id = await idOf(db, 'site', site).catch((error: unknown) => {
      throw error instanceof Problem && error.status === 404
        ? badFields([{ path: 'site', message: 'This location does not exist' }])
        : error
    })
    return sites.where('_id', '=', _id).executeTakeFirstOrThrow()
  }
  const named = await sites
    .where(sql<boolean>`(lower(btrim("displayName")) = lower(${location}) or lower(btrim(name)) = lower(${location}))`)
    .limit(2)
    .execute()
  return named.length === 1 ? (named[0] ?? null) : null
}

export interface KeptWithMail {
  readonly _id: string
  readonly mail: string
}

const keep = async (
  tx: Tx,
  { configuration, mail }: House,
  values: Omit<LetterRequest, '_id' | 'site' | 'isSignedIn'> & ReturnType<typeof askerOf>,
  site: SiteMeant | null,
): Promise<KeptWithMail> => {
  const { _id } = await tx
    .insertInto('request')
    .values({ ...values, site: site?._id ?? null })
    .returning('_id')
    .executeTakeFirstOrThrow()
  const recipients = await recipientsOf(tx, configuration, { kind: values.kind, region: site?.region ?? null })
  const letter = requestLetter({ ...values, _id, site, isSignedIn: values.account !== null }, recipients, configuration.publicUrl)
  return { _id, mail: await mail.keep(tx, letter) }
}

/** Keeps a change request and its mail. */
export const keepChangeRequest = async (
  tx: Tx,
  house: House,
  user: SignedIn,
  { site: named, location, correctText, ...said }: CheckedBody<typeof sendChangeRequest>,
): Promise<KeptWithMail> => {
  const site = await siteMeant(tx, named, location)
  return keep(
    tx,
    house,
    { kind: 'change', text: correctText, location: location || site?.displayName || null, ...askerOf(user, said) },
    site,
  )
}

/** Keeps a support request and its mail. */
export const keepSupportRequest = (
  tx: Tx,
  house: House,
  user: SignedIn | null,
  { request, ...said }: CheckedBody<typeof sendSupportRequest>,
): Promise<KeptWithMail> => keep(tx, house, { kind: 'support', text: request, location: null, ...askerOf(user, said) }, null)

const claimRequest = async (tx: Tx, _id: string, seen?: number) => {
  const found = isUuid(_id) ? await tx.selectFrom('request').selectAll().where('_id', '=', _id).forUpdate().executeTakeFirst() : undefined
  if (!found) throw notFound('Request')
  if (seen !== undefined && seen !== found.version) throw stale()
  return found
}

const siteOf = async (tx: Tx, _id: string | null): Promise<SiteMeant | null> =>
  _id === null
    ? null
    : ((await tx.selectFrom('site').select(['_id', 'slug', 'displayName', 'region']).where('_id', '=', _id).executeTakeFirst()) ?? null)

/** An earlier answer that is not out yet is not sent any more; one that is being sent at this moment cannot be held back. */
const withdrawAnswers = async (tx: Tx, request: string): Promise<void> => {
  await sql`update mail set "failedAt" = now(), problem = 'Another answer came after it'
    where _id in (select _id from mail where request = ${request} and kind = 'answer' and "sentAt" is null for update skip locked)`.execute(
    tx,
  )
}

/** Answers a request and keeps the mail that tells its sender; one that was already answered so is left as it is. */
export const saveAnswer = async (
  tx: Tx,
  { configuration, mail }: House,
  user: SignedIn,
  _id: string,
  seen: number | undefined,
  { state, word }: CheckedBody<typeof answerRequest>,
): Promise<void> => {
  const found = await claimRequest(tx, _id, seen)
  if (found.state === state && found.word === word) return
  const answered = state === 'open' ? { answeredBy: null, answeredAt: null } : { answeredBy: user.name, answeredAt: sql<Date>`now()` }
  await tx
    .updateTable('request')
    .set({ state, word, ...answered })
    .where('_id', '=', _id)
    .execute()
  await withdrawAnswers(tx, _id)
  if (state === 'open') return
  const site = await siteOf(tx, found.site)
  const letter = answerLetter(
    { ...found, site, isSignedIn: found.account !== null },
    { state, word, answeredBy: user.name },
    configuration.publicUrl,
  )
  if (letter) await mail.keep(tx, letter)
}

/** Begins anew with what was not sent about a request: to those who are set to get it now, and to those who have it already. Gives the mails. */
export const sendAgain = async (tx: Tx, { configuration, mail }: House, _id: string): Promise<string[]> => {
  const { kind, site, state } = await claimRequest(tx, _id)
  const region = (await siteOf(tx, site))?.region ?? null
  // Of several answers only the last one counts.
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
    const now = one.kind === 'request' ? await recipientsOf(tx, configuration, { kind, region }) : []
    await mail.tryAgain(tx, one._id, now.length > 0 ? [...new Set([...one.accepted, ...now])] : one.recipients)
  }
  return unsent.map((one) => one._id)
}
