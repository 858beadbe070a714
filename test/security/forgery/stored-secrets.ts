import { sql } from 'kysely'

import { getDirectoryAccessToken } from '../../../src/features/access/session/queries.server.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import { createCookieClient } from '../../support/cookie-client.ts'
import type { AppWithDatabase } from '../../support/listening-app-with-database.ts'
import type { OidcProvider } from '../../support/oidc-provider.ts'
import { exchangeTicket, getTicket, signIn } from '../../support/provider-sign-in.ts'
import { Attempts } from '../attempts.ts'

type Target = Pick<AppWithDatabase, 'context' | 'url'>

/** Rows of any table that contain one of these texts in any encoding. */
const findRowsWith = async ({ db }: Pick<AppContext, 'db'>, texts: readonly string[]): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    db,
  )
  const forms = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    // Plain, as base64 (from its second letter on, whatever precedes it), and as bytea output.
    return [text, bytes.toString('base64').replace(/.{2}=*$/, ''), bytes.toString('hex')]
  })
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t
      where ${sql.join(
        forms.map((form) => sql`position(${form} in t::text) > 0`),
        sql` or `,
      )}`.execute(db)
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 80)}`))
  }
  return found
}

/** Someone's directory tokens in the database: encrypted, readable with this server's key only. `other` has the same database and another key. */
export const checkStoredSecrets = async (target: Target, other: Target, provider: OidcProvider): Promise<Attempts> => {
  const attempts = new Attempts()
  const expect = (wrong: string, isRight: boolean): void => {
    attempts.tried++
    attempts.expect(isRight, wrong)
  }
  const browser = createCookieClient(target.url)
  const ticket = await getTicket(browser)
  const { token, user } = await exchangeTicket(browser, ticket)
  const plain = `directory token of ${provider.currentUser.oid}`
  const kept = () => target.context.db.selectFrom('account').select('directoryTokens').where('_id', '=', user._id).executeTakeFirstOrThrow()
  const first = (await kept()).directoryTokens

  expect('the directory token was not kept', first !== null && first.length > 40)
  expect('this server cannot open what it sealed', (await getDirectoryAccessToken(target.context, user._id)) === plain)
  const secrets = [plain, token, ticket, ...[...browser.cookies.values()].map(({ value }) => value)]
  const inRows = await findRowsWith(target.context, secrets)
  attempts.tried += secrets.length
  attempts.wrong.push(...inRows.map((row) => `a secret as it is in ${row}`))

  expect('another key opens it', (await getDirectoryAccessToken(other.context, user._id)) === null)
  // The same browser at the other server, whose port is part of the cookie names.
  const portOf = ({ context }: Target): string => new URL(context.configuration.publicUrl).port
  const cookie = [...browser.cookies]
    .map(([key, { value }]) => `${(key.split(' ')[0] ?? '').replace(portOf(target), portOf(other))}=${value}`)
    .join('; ')
  const send = (path: string) =>
    fetch(new URL(path, other.url), { redirect: 'manual', headers: { authorization: `Bearer ${token}`, cookie } })
  const photo = await send('/api/profile-photo/me')
  expect(
    `with another key the photo answers ${photo.status}`,
    photo.status === 200 && String(photo.headers.get('content-type')).includes('svg'),
  )
  expect('with another key the session is over', (await send('/auth')).status === 200)
  expect('with another key lists cannot be read', (await send('/locations-api/sites_pop')).status === 200)
  const out = await send('/auth/logout')
  expect(`with another key signing out answers ${out.status}`, out.status === 302)

  const again = await signIn(createCookieClient(other.url))
  expect('a sign-in with the other key is another account', again.user._id === user._id)
  const second = (await kept()).directoryTokens
  expect('a new sign-in seals nothing anew', second !== null && !second.equals(first ?? Buffer.alloc(0)))
  expect('the new key does not open what it sealed', (await getDirectoryAccessToken(other.context, user._id)) === plain)
  expect('the old key still opens what the new one sealed', (await getDirectoryAccessToken(target.context, user._id)) === null)
  return attempts
}
