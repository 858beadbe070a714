import { sql } from 'kysely'

import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import { formatCount } from '../../../contract/format.ts'
import { buildPagePath } from '../../../contract/pages.ts'
import { isRestricted } from '../../../contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { formatFrom, formatSent, formatSubject, type MailRequest } from './mails.server.ts'
import { formatRecord, formatValue } from './proposal-mails.server.ts'
import { findStoredProposals, toProposals } from './proposal-queries.server.ts'

/** What a message in a channel says of a request or suggestion. */
export interface RequestMessage {
  readonly title: string
  readonly sentence: string
  readonly lines: readonly { readonly label: string; readonly from?: string; readonly to: string }[]
  /** Whether its texts are not shown, because everyone in the channel could read of a charter affair. */
  readonly isHidden: boolean
  readonly action: { readonly text: string; readonly path: string }
}

const HIDDEN_TEXT = 'What is suggested is shown only to people who can open the charter affair.'

/** Undefined if it is gone. Email addresses are in no message. */
export const readRequestMessage = async (
  context: AppContext,
  _id: string,
  { mayReadAffairs }: { readonly mayReadAffairs: boolean },
): Promise<RequestMessage | undefined> => {
  const [stored] = await findStoredProposals(context.db, sql<boolean>`request._id = ${_id}::uuid`)
  if (stored) {
    // Someone who decides on nothing, so that suggestions of others are not read.
    const [proposal] = await toProposals(context, { account: '', accessLevel: BROWSE_LEVEL }, [stored])
    if (!proposal) return undefined
    const { record, fields, note } = proposal
    const isHidden = isRestricted(record.kind) && !mayReadAffairs
    const sentence = `${formatFrom({ name: stored.name, email: null, isSignedIn: stored.account !== null })} suggests ${formatCount(fields.length, 'change')}.`
    return {
      title: formatRecord(record),
      sentence: isHidden ? `${sentence} ${HIDDEN_TEXT}` : sentence,
      lines: isHidden
        ? []
        : [
            ...fields.map((field) => ({
              label: field.label,
              from: formatValue(field, field.before, field.beforeName),
              to: formatValue(field, field.suggested, field.suggestedName),
            })),
            ...(note === null ? [] : [{ label: 'Why', to: note }]),
          ],
      isHidden,
      action: { text: 'Review', path: buildPagePath('/requests/$id', _id) },
    }
  }
  const { rows } = await sql<MailRequest>`
    select request._id, request.kind, text, location, request.name, null as email, account is not null as "isSignedIn",
      case when site._id is not null then json_build_object('slug', site.slug, 'displayName', site."displayName") end as site
    from request left join site on site._id = request.site where request._id = ${_id}::uuid`.execute(context.db)
  const [request] = rows
  if (!request) return undefined
  return {
    title: formatSubject(request),
    sentence: formatSent(request),
    lines: [{ label: 'Text', to: request.text }],
    isHidden: false,
    action: { text: 'Open the request', path: `/requests?request=${_id}` },
  }
}
