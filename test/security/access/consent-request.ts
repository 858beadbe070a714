import { randomUUID } from 'node:crypto'

import { insertClient, saveTurnedOn } from '../../../src/features/exchange/assistants/mutations.server.ts'
import { buildAuthorizeUrl, createVerifier, REDIRECT_ADDRESS } from '../../support/assistants.ts'
import type { SignedInUser } from '../../support/sessions.ts'
import type { TestTarget } from './credentials.ts'

/** An assistant that asks to be let in, in the browser of the owner. */
export const askToBeLetIn = async ({ context, owner, send }: Pick<TestTarget, 'context' | 'send'> & { owner: SignedInUser }) => {
  const { db, configuration } = context
  const client = randomUUID()
  await db.transaction().execute((tx) => saveTurnedOn(tx, true))
  await insertClient(db, client, {
    client_id: client,
    client_name: 'Assistant',
    redirect_uris: [REDIRECT_ADDRESS],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  const { challenge } = createVerifier()
  const { headers } = await send('GET', buildAuthorizeUrl(`${configuration.publicUrl}/mcp`, { client, challenge }))
  const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0])
  const cookie = [owner.headers.cookie, ...cookies].join('; ')
  return { params: { id: String(headers['location']).split('/').at(-1) ?? '' }, as: { ...owner, headers: { ...owner.headers, cookie } } }
}
