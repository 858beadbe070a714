import pg from 'pg'

import { normalizeText } from '../../contract/text-match.ts'
import {
  EMPLOYEE_COLUMNS,
  type EmployeeColumn,
  type HrSource,
  escapeLike,
  MAX_VALUE_LENGTH,
  MalformedResponse,
  type EmployeeSearch,
} from './employees.ts'

const LIKE_WILDCARDS = /[\\%_]/g

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoteView = (view: string): string => view.split('.').map(quoteName).join('.')

/** The database's names of our columns, which can differ in case: unquoted names are stored in lower case. */
const findColumnNames = async (client: pg.ClientBase, view: string): Promise<Record<EmployeeColumn, string>> => {
  const { fields } = await client.query(`select * from ${quoteView(view)} limit 0`)
  const own = EMPLOYEE_COLUMNS.map(
    (column) =>
      [
        column,
        fields.find(({ name }) => name === column)?.name ?? fields.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name,
      ] as const,
  )
  const missing = own.filter(([, name]) => name === undefined).map(([column]) => column)
  if (missing.length > 0) throw new MalformedResponse(`${view} has no column ${missing.join(', ')}`)
  return Object.fromEntries(own) as Record<EmployeeColumn, string>
}

/** Lower case without accents, with functions that every PostgreSQL has. */
const normalizeSql = (text: string): string => `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`
const localPartSql = (column: string): string => `split_part(${column}, '@', 1)`

/** The statement and its bound values. The text contains no user input. */
export const buildPostgresSearch = (
  view: string,
  names: Record<EmployeeColumn, string>,
  search: EmployeeSearch,
): { text: string; values: unknown[] } => {
  const values: unknown[] = []
  const bound = (value: unknown): string => `$${values.push(value)}`
  const cut = EMPLOYEE_COLUMNS.map(
    (column) => `left(btrim(${quoteName(names[column])}::text), ${MAX_VALUE_LENGTH}) as ${quoteName(column)}`,
  )
  const patterns = search.words.map((word) => ({
    at: word.includes('@') ? 'addresses' : 'words',
    pattern: `${bound(escapeLike(normalizeText(word), LIKE_WILDCARDS))} || '%'`,
  }))
  const hasAll = (before: string): string => patterns.map(({ at, pattern }) => `${at} like '${before}' || ${pattern}`).join(' and ')
  const begins = `name like ${bound(escapeLike(normalizeText(search.namePrefix), LIKE_WILDCARDS))} || '%'`
  const both = search.withEmails ? `and "EmailAddress" <> '' and "Hris_EmailAddress" <> ''` : ''
  const text = `
    with staff as (select ${cut.join(', ')} from ${quoteView(view)}),
    plain as (
      select *, ${normalizeSql(`concat_ws(' ', "FirstName", "LastName")`)} as name,
        ${normalizeSql(`concat_ws(' ', '', "FirstName", "LastName", "PersonID", ${localPartSql('"EmailAddress"')}, ${localPartSql('"Hris_EmailAddress"')})`)} as words,
        ${normalizeSql(`concat_ws(' ', '', "EmailAddress", "Hris_EmailAddress")`)} as addresses
      from staff where "PersonID" <> '' ${both}
    )
    select ${EMPLOYEE_COLUMNS.map(quoteName).join(', ')} from plain where ${hasAll('%')}
    order by case when ${begins} then 0 when ${hasAll('% ')} then 1 else 2 end, name, "PersonID" limit ${bound(search.limit)}`
  return { text, values }
}

/** The client times out first, so that a slow database always causes the same message. */
const STATEMENT_GRACE_MS = 500

/** Searches a table or view of another PostgreSQL (HR_URL) with a small pool, read-only transactions and a timeout. */
export const createPostgresSource = (url: string, view: string, timeoutMs: number): HrSource => {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'homeroom',
    max: 4,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  pool.on('error', () => {}) // the next search replaces a broken idle connection
  let names: Record<EmployeeColumn, string> | undefined
  return {
    find: async (search) => {
      const client = await pool.connect()
      client.on('error', ignoreError)
      try {
        await client.query(
          `begin transaction read only; set local statement_timeout = ${timeoutMs + STATEMENT_GRACE_MS}; set local jit = off`,
        )
        names ??= await findColumnNames(client, view)
        const { rows } = await client.query<Record<string, unknown>>(buildPostgresSearch(view, names, search))
        await client.query('rollback')
        client.off('error', ignoreError)
        client.release()
        return rows
      } catch (error) {
        // The view may have changed by the next search, and the connection may be broken.
        names = undefined
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}

const ignoreError = (): void => {}
