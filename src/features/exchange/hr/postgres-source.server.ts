import pg from 'pg'

import { normalizeText } from '../../../platform/contract/text-match.ts'
import { COLUMNS, type Column, type HrSource, literally, LONGEST_VALUE, Rubbish, type Sought } from './employees.ts'

/** What LIKE gives a meaning. */
const MEANING = /[\\%_]/g

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
/** `hr.staff` as PostgreSQL is asked for it. */
const quotedView = (view: string): string => view.split('.').map(quoted).join('.')

/** The database's own names of our columns, which may be written in another case: unquoted names are kept in small letters. */
const columnsOf = async (client: pg.ClientBase, view: string): Promise<Record<Column, string>> => {
  const { fields } = await client.query(`select * from ${quotedView(view)} limit 0`)
  const own = COLUMNS.map(
    (column) =>
      [
        column,
        fields.find(({ name }) => name === column)?.name ?? fields.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name,
      ] as const,
  )
  const missing = own.filter(([, name]) => name === undefined).map(([column]) => column)
  if (missing.length > 0) throw new Rubbish(`${view} has no column ${missing.join(', ')}`)
  return Object.fromEntries(own) as Record<Column, string>
}

/** Lower case without accents, with what every PostgreSQL has. */
const folded = (text: string): string => `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`
const beforeAt = (column: string): string => `split_part(${column}, '@', 1)`

/** The search with its values; of what was typed nothing stands in the text of the statement. */
export const postgresSearch = (view: string, names: Record<Column, string>, sought: Sought): { text: string; values: unknown[] } => {
  const values: unknown[] = []
  const bound = (value: unknown): string => `$${values.push(value)}`
  const cut = COLUMNS.map((column) => `left(btrim(${quoted(names[column])}::text), ${LONGEST_VALUE}) as ${quoted(column)}`)
  const patterns = sought.words.map((word) => ({
    at: word.includes('@') ? 'addresses' : 'words',
    pattern: `${bound(literally(normalizeText(word), MEANING))} || '%'`,
  }))
  const hasAll = (before: string): string => patterns.map(({ at, pattern }) => `${at} like '${before}' || ${pattern}`).join(' and ')
  const begins = `name like ${bound(literally(normalizeText(sought.begins), MEANING))} || '%'`
  const both = sought.withEmails ? `and "EmailAddress" <> '' and "Hris_EmailAddress" <> ''` : ''
  const text = `
    with staff as (select ${cut.join(', ')} from ${quotedView(view)}),
    plain as (
      select *, ${folded(`concat_ws(' ', "FirstName", "LastName")`)} as name,
        ${folded(`concat_ws(' ', '', "FirstName", "LastName", "PersonID", ${beforeAt('"EmailAddress"')}, ${beforeAt('"Hris_EmailAddress"')})`)} as words,
        ${folded(`concat_ws(' ', '', "EmailAddress", "Hris_EmailAddress")`)} as addresses
      from staff where "PersonID" <> '' ${both}
    )
    select ${COLUMNS.map(quoted).join(', ')} from plain where ${hasAll('%')}
    order by case when ${begins} then 0 when ${hasAll('% ')} then 1 else 2 end, name, "PersonID" limit ${bound(sought.most)}`
  return { text, values }
}

/** A table or view of another PostgreSQL (HR_URL): a small pool of its own, read-only transactions, nothing longer than `mostMs`. */
export const postgresSource = (url: string, view: string, mostMs: number): HrSource => {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'homeroom',
    max: 4,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: mostMs,
    query_timeout: mostMs,
  })
  pool.on('error', () => {}) // an idle connection that breaks is replaced by the next search
  let names: Record<Column, string> | undefined
  return {
    find: async (sought) => {
      const client = await pool.connect()
      client.on('error', ignore)
      try {
        await client.query(`begin transaction read only; set local statement_timeout = ${mostMs}; set local jit = off`)
        names ??= await columnsOf(client, view)
        const { rows } = await client.query<Record<string, unknown>>(postgresSearch(view, names, sought))
        await client.query('rollback')
        client.off('error', ignore)
        client.release()
        return rows
      } catch (error) {
        // The view may be another one by the next search, and the connection is worth nothing any more.
        names = undefined
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

const ignore = (): void => {}
