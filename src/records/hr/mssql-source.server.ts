import { EMPLOYEE_COLUMNS, type HrSource, escapeLike, MAX_VALUE_LENGTH, type EmployeeSearch } from './employees.ts'

/** The part of the driver `mssql` that is used here. */
export interface MssqlDriver {
  readonly ConnectionPool: new (settings: MssqlSettings) => MssqlPool
  readonly NVarChar: (length: number) => unknown
  readonly Int: unknown
}
interface MssqlPool {
  connect(): Promise<unknown>
  close(): Promise<unknown>
  on(event: 'error', listener: (error: unknown) => void): unknown
  request(): MssqlRequest
}
interface MssqlRequest {
  input(name: string, type: unknown, value: unknown): MssqlRequest
  query(text: string): Promise<{ readonly recordset: unknown }>
}
export interface MssqlSettings {
  readonly server: string
  readonly port?: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly connectionTimeout: number
  readonly requestTimeout: number
  readonly pool: { readonly max: number; readonly min: number; readonly idleTimeoutMillis: number; readonly acquireTimeoutMillis: number }
  readonly options: {
    readonly encrypt: boolean
    readonly trustServerCertificate: boolean
    readonly instanceName?: string
    readonly appName: string
  }
}

/** Parses `mssql://user:password@host:1433/database?encrypt=true&trustServerCertificate=false&instanceName=…` into the driver's settings. */
export const parseSettings = (url: string, timeoutMs: number): MssqlSettings => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const instanceName = searchParams.get('instanceName')
  return {
    server: decodeURIComponent(hostname),
    ...(port === '' ? {} : { port: Number(port) }),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    connectionTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    pool: { max: 4, min: 0, idleTimeoutMillis: 30_000, acquireTimeoutMillis: timeoutMs },
    options: {
      encrypt: searchParams.get('encrypt') !== 'false',
      trustServerCertificate: searchParams.get('trustServerCertificate') === 'true',
      ...(instanceName ? { instanceName } : {}),
      appName: 'homeroom',
    },
  }
}

const quoteName = (name: string): string => `[${name.replaceAll(']', ']]')}]`
const quoteView = (view: string): string => view.split('.').map(quoteName).join('.')
const localPartSql = (column: string): string => `LEFT(${column}, CHARINDEX(N'@', ${column} + N'@') - 1)`
/** Ignores case and accents, whatever the database's own collation. */
const CASE_INSENSITIVE = 'COLLATE Latin1_General_100_CI_AI'

/** The statement and its bound values. The text contains no user input. */
export const buildMssqlSearch = (view: string, search: EmployeeSearch): { text: string; values: Record<string, string> } => {
  const cut = EMPLOYEE_COLUMNS.map(
    (column) => `LTRIM(RTRIM(CAST(${quoteName(column)} AS nvarchar(${MAX_VALUE_LENGTH})))) AS ${quoteName(column)}`,
  )
  const hasAll = (before: string): string =>
    search.words
      .map(
        (word, at) =>
          `${word.includes('@') ? 'addresses' : 'words'} ${CASE_INSENSITIVE} LIKE N'${before}' + @word${at} + N'%' ESCAPE N'\\'`,
      )
      .join(' AND ')
  const both = search.withEmails ? `AND [EmailAddress] <> N'' AND [Hris_EmailAddress] <> N''` : ''
  const text = `
    WITH staff AS (SELECT ${cut.join(', ')} FROM ${quoteView(view)}),
    matching AS (
      SELECT *, CONCAT([FirstName], N' ', [LastName]) AS name,
        CONCAT(N' ', [FirstName], N' ', [LastName], N' ', [PersonID], N' ', ${localPartSql('[EmailAddress]')}, N' ', ${localPartSql('[Hris_EmailAddress]')}) AS words,
        CONCAT(N' ', [EmailAddress], N' ', [Hris_EmailAddress]) AS addresses
      FROM staff WHERE [PersonID] <> N'' ${both}
    )
    SELECT TOP (@most) ${EMPLOYEE_COLUMNS.map(quoteName).join(', ')} FROM matching WHERE ${hasAll('%')}
    ORDER BY CASE WHEN name ${CASE_INSENSITIVE} LIKE @begins + N'%' ESCAPE N'\\' THEN 0 WHEN ${hasAll('% ')} THEN 1 ELSE 2 END, name, [PersonID]`
  const literal = (typed: string): string => escapeLike(typed, /[\\%_[\]]/g)
  const words = search.words.map((word, at) => [`word${at}`, literal(word)] as const)
  return { text, values: { ...Object.fromEntries(words), begins: literal(search.namePrefix) } }
}

/** The driver is loaded only if HR_URL is that of a SQL Server. */
const loadDriver = async (): Promise<MssqlDriver> => (await import('mssql')).default

/**
 * Searches a view of a SQL Server (HR_URL) with a pool of four connections and a timeout. After a failure the next search opens new
 * connections.
 */
export const createMssqlSource = (url: string, view: string, timeoutMs: number, load = loadDriver): HrSource => {
  let opened: Promise<{ driver: MssqlDriver; pool: MssqlPool }> | undefined
  const open = async (): Promise<{ driver: MssqlDriver; pool: MssqlPool }> => {
    const driver = await load()
    const pool = new driver.ConnectionPool(parseSettings(url, timeoutMs))
    pool.on('error', () => {}) // the next search reports a broken idle connection
    await pool.connect()
    return { driver, pool }
  }
  const drop = async (broken: typeof opened): Promise<void> => {
    if (opened === broken) opened = undefined
    await broken?.then(({ pool }) => pool.close()).catch(() => {})
  }
  return {
    find: async (search) => {
      const connection = (opened ??= open())
      try {
        const { driver, pool } = await connection
        const { text, values } = buildMssqlSearch(view, search)
        const request = pool.request().input('most', driver.Int, search.limit)
        for (const [name, value] of Object.entries(values)) request.input(name, driver.NVarChar(400), value)
        return (await request.query(text)).recordset
      } catch (error) {
        void drop(connection)
        throw error
      }
    },
    close: () => drop(opened),
  }
}
