import { sql } from 'kysely'

import { getDirectoryAccessToken } from '../../../src/features/access/session/queries.server.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import { createCookieClient } from '../../support/cookie-client.ts'
import type { AppWithDatabase } from '../../support/listening-app-with-database.ts'
import type { OidcProvider } from '../../support/oidc-provider.ts'
import { exchangeTicket, getAuthHeaders, getTicket, signIn } from '../../support/provider-sign-in.ts'
import { Attempts } from '../attempts.ts'
import { listTables } from '../table-changes.ts'

type Target = Pick<AppWithDatabase, 'context' | 'url'>

/** Rows of any table that contain one of these texts in any encoding. */
const findRowsWith = async (context: AppContext, texts: readonly string[]): Promise<string[]> => {
  const forms = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    // Plain, as base64 (from its second letter on, whatever precedes it), and as bytea output.
    return [text, bytes.toString('base64').replace(/.{2}=*$/, ''), bytes.toString('hex')]
  })
  const found: string[] = []
  for (const name of await listTables(context)) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t
      where exists (select from unnest(${forms}::text[]) form where position(form in t::text) > 0)`.execute(context.db)
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 80)}`))
  }
  return found
}

/** Someone's directory tokens in the database: encrypted, readable with this server's key only. `other` has the same database and another key. */
export const checkStoredSecrets = async (target: Target, other: Target, provider: OidcProvider): Promise<Attempts> => {
  const attempts = new Attempts()
  const browser = createCookieClient(target.url)
  const ticket = await getTicket(browser)
  const { token, user } = await exchangeTicket(browser, ticket)
  const plain = `directory token of ${provider.currentUser.oid}`
  const open = ({ context }: Target): Promise<string | null> => getDirectoryAccessToken(context, user._id)
  const readStored = async (): Promise<Buffer | null> =>
    (await target.context.db.selectFrom('account').select('directoryTokens').where('_id', '=', user._id).executeTakeFirstOrThrow())
      .directoryTokens
  const first = await readStored()

  attempts.add(first !== null && first.length > 40, 'the directory token was not kept')
  attempts.add((await open(target)) === plain, 'this server cannot open what it sealed')
  const secrets = [plain, token, ticket, ...[...browser.cookies.values()].map(({ value }) => value)]
  attempts.tried += secrets.length
  attempts.wrong.push(...(await findRowsWith(target.context, secrets)).map((row) => `a secret as it is in ${row}`))

  attempts.add((await open(other)) === null, 'another key opens it')
  // The same browser at the other server, whose port is part of the cookie names.
  const portOf = ({ context }: Target): string => new URL(context.configuration.publicUrl).port
  const { authorization, cookie } = getAuthHeaders({ browser, token })
  const headers = { authorization, cookie: cookie.replaceAll(portOf(target), portOf(other)) }
  const send = (path: string) => fetch(new URL(path, other.url), { redirect: 'manual', headers })
  const photo = await send('/api/profile-photo/me')
  const isDrawing = photo.status === 200 && String(photo.headers.get('content-type')).includes('svg')
  attempts.add(isDrawing, `with another key the photo answers ${photo.status}`)
  attempts.add((await send('/auth')).status === 200, 'with another key the session is over')
  attempts.add((await send('/locations-api/sites_pop')).status === 200, 'with another key lists cannot be read')
  const out = await send('/auth/logout')
  attempts.add(out.status === 302, `with another key signing out answers ${out.status}`)

  const again = await signIn(createCookieClient(other.url))
  attempts.add(again.user._id === user._id, 'a sign-in with the other key is another account')
  const second = await readStored()
  attempts.add(second !== null && !second.equals(first ?? Buffer.alloc(0)), 'a new sign-in does not encrypt it again')
  attempts.add((await open(other)) === plain, 'the new key does not open what it sealed')
  attempts.add((await open(target)) === null, 'the old key still opens what the new one sealed')
  return attempts
}
