import { expect, test } from 'vitest'

import { parseEmployeeSearch } from './employees.ts'
import { type MssqlDriver, buildMssqlSearch, createMssqlSource, type MssqlSettings, parseSettings } from './mssql-source.server.ts'
import { GuardedSource } from './source.server.ts'

// No SQL Server is available in tests: they verify what is passed to its driver, and how its results are handled.

const URL = 'mssql://hr%5Freader:p%40ss%2Fword@sql.example.org:1444/People%20Data?trustServerCertificate=true'
const ROW = {
  PersonID: 7,
  FirstName: 'José',
  LastName: null,
  Hris_EmailAddress: ' jose@hr.test ',
  EmailAddress: '',
  Title: 'Teacher',
  Department: 12,
  Company: 'Cedar',
  Region: 'Ohio',
}
const EMPLOYEE = { ...ROW, PersonID: '7', Hris_EmailAddress: 'jose@hr.test', EmailAddress: null, Department: '12' }

interface SentQuery {
  readonly text: string
  readonly inputs: Record<string, { type: unknown; value: unknown }>
}
/** A fake driver that records its input and answers as configured. */
const driver = (answer: () => unknown) => {
  const made: MssqlSettings[] = []
  const sent: SentQuery[] = []
  let closed = 0
  const fake: MssqlDriver = {
    NVarChar: (length) => `nvarchar(${length})`,
    Int: 'int',
    ConnectionPool: class {
      constructor(settings: MssqlSettings) {
        made.push(settings)
      }
      connect = async () => {}
      close = async () => void closed++
      on = () => {}
      request() {
        const inputs: SentQuery['inputs'] = {}
        const request = {
          input: (name: string, type: unknown, value: unknown) => {
            inputs[name] = { type, value }
            return request
          },
          query: async (text: string) => {
            sent.push({ text, inputs })
            return { recordset: await answer() }
          },
        }
        return request
      }
    },
  }
  return { made, asked: sent, closed: () => closed, load: async () => fake }
}
const sourceOf = (fake: ReturnType<typeof driver>) => new GuardedSource(createMssqlSource(URL, 'hr.staff', 3000, fake.load), URL)

test('the configuration has everything the driver needs; by default four connections, three seconds and encryption', () => {
  expect(parseSettings(URL, 3000)).toEqual({
    server: 'sql.example.org',
    port: 1444,
    database: 'People Data',
    user: 'hr_reader',
    password: 'p@ss/word',
    connectionTimeout: 3000,
    requestTimeout: 3000,
    pool: { max: 4, min: 0, idleTimeoutMillis: 30_000, acquireTimeoutMillis: 3000 },
    options: { encrypt: true, trustServerCertificate: true, appName: 'homeroom' },
  })
  const plainest = parseSettings('mssql://u:p@host/db?encrypt=false&instanceName=HR', 3000)
  expect(plainest).toMatchObject({ server: 'host', options: { encrypt: false, trustServerCertificate: false, instanceName: 'HR' } })
  expect(plainest).not.toHaveProperty('port')
})

test('typed text is a bound parameter, never part of the statement, and its wildcards are literal', async () => {
  const fake = driver(() => [])
  await sourceOf(fake).find(parseEmployeeSearch("o'x [50]% a_b\\c jose@hr", false, 50))
  const [{ text, inputs } = { text: '', inputs: {} }] = fake.asked
  expect(inputs).toEqual({
    most: { type: 'int', value: 50 },
    begins: { type: 'nvarchar(400)', value: "o'x \\[50\\]\\% a\\_b\\\\c jose@hr" },
    word0: { type: 'nvarchar(400)', value: "o'x" },
    word1: { type: 'nvarchar(400)', value: '\\[50\\]\\%' },
    word2: { type: 'nvarchar(400)', value: 'a\\_b\\\\c' },
    word3: { type: 'nvarchar(400)', value: 'jose@hr' },
  })
  expect(text).not.toMatch(/o'x|50|a_b|jose/)
  expect(text).toContain('FROM [hr].[staff]')
  expect(text).toContain('SELECT TOP (@most)')
  expect(text).toContain("words COLLATE Latin1_General_100_CI_AI LIKE N'%' + @word0 + N'%' ESCAPE N'\\'")
  expect(text).toContain("addresses COLLATE Latin1_General_100_CI_AI LIKE N'%' + @word3 + N'%' ESCAPE N'\\'")
  expect(text).not.toContain("[EmailAddress] <> N''")
  expect(buildMssqlSearch('staff', parseEmployeeSearch('jose', true, 50)).text).toContain(
    "[EmailAddress] <> N'' AND [Hris_EmailAddress] <> N''",
  )
})

test('rows are returned as employees, over one pool for many searches', async () => {
  const fake = driver(() => [ROW, { ...ROW, PersonID: null }, { ...ROW, PersonID: '  ' }, { ...ROW, FirstName: 'Again' }])
  const source = sourceOf(fake)
  expect(await source.find(parseEmployeeSearch('jose', false, 50))).toEqual([EMPLOYEE])
  expect(await source.find(parseEmployeeSearch('jose', false, 50))).toEqual([EMPLOYEE])
  expect(fake.made).toHaveLength(1)
  await source.close()
  expect(fake.closed()).toBe(1)
})

test.each<[string, unknown]>([
  ['no rows', undefined],
  ['rows that are not objects', ['x']],
  ['rows without required columns', [{ PersonID: '1' }]],
])('%s are reported as one malformed response', async (_what, recordset) => {
  const source = sourceOf(driver(() => recordset))
  await expect(source.find(parseEmployeeSearch('jose', false, 50))).rejects.toMatchObject({
    status: 503,
    message: 'The HR directory is not available',
    retryAfter: 5,
  })
})

test('a failure is reported without the password; the next search connects again and succeeds', async () => {
  let fails = true
  const fake = driver(() => {
    if (fails) throw Object.assign(new Error(`Login failed for ${URL} with p@ss/word`), { code: 'ELOGIN' })
    return [ROW]
  })
  const source = sourceOf(fake)
  const failure = await source.find(parseEmployeeSearch('jose', false, 50)).catch((error: unknown) => error as Error)
  expect(failure).toMatchObject({ status: 503, cause: { message: 'Error: Login failed for … with … (ELOGIN)' } })
  fails = false
  expect(await source.find(parseEmployeeSearch('jose', false, 50))).toEqual([EMPLOYEE])
  expect(fake.made).toHaveLength(2)
  expect(fake.closed()).toBe(1)
})

test('a driver that never answers times out, and its late failure has no effect', async () => {
  let breakOff: (error: Error) => void = () => {}
  const fake = driver(() => new Promise((_, reject) => (breakOff = reject)))
  const source = sourceOf(fake)
  await expect(source.find(parseEmployeeSearch('jose', false, 50), 50)).rejects.toMatchObject({ status: 503 })
  breakOff(new Error('Late'))
  await expect.poll(fake.closed, { message: 'its pool is closed' }).toBe(1)
})

test('the installed driver accepts this usage: its pool, its types and its requests', async () => {
  const { default: mssql } = await import('mssql')
  const source = new GuardedSource(
    createMssqlSource('mssql://u:secret@127.0.0.1:1/db', 'hr.staff', 1000),
    'mssql://u:secret@127.0.0.1:1/db',
  )
  const failure = await source.find(parseEmployeeSearch('jose', false, 50)).catch((error: unknown) => error as Error & { cause: Error })
  expect(failure).toMatchObject({ status: 503, cause: { message: expect.stringMatching(/ESOCKET/) } })
  const request = new mssql.Request().input('word0', mssql.NVarChar(400), 'x').input('most', mssql.Int, 50)
  expect(Object.keys(request.parameters)).toEqual(['word0', 'most'])
  await source.close()
})
