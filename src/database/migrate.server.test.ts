import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'

import { startApp } from '../../test/support/app.ts'
import { onDatabase } from '../../test/support/database.ts'
import { doctorCommand } from '../doctor/command.server.ts'
import { readConfiguration } from '../platform/server/configuration.ts'
import { openConfiguredDatabase } from '../platform/server/database.ts'
import { findChangedMigrations, listAppliedMigrations, listMigrations } from './migrate.server.ts'

test('a migration that was edited after it ran is reported; different line ends do not count as an edit', async () => {
  const applied = await listAppliedMigrations((await startApp()).context.db)
  expect(applied.map(({ name }) => name)).toEqual(await listMigrations())
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-migrations-'))
  await cp(new URL('./migrations/', import.meta.url), folder, { recursive: true })
  const [first = '', second = ''] = await listMigrations()
  const text = await readFile(join(folder, second), 'utf8')
  await writeFile(join(folder, second), text.replaceAll('\n', '\r\n'))
  const at = pathToFileURL(`${folder}/`)
  expect(await findChangedMigrations(applied, at)).toEqual([])
  await appendFile(join(folder, first), '\n-- another word\n')
  expect(await findChangedMigrations(applied, at)).toEqual([first])
  await rm(folder, { recursive: true })
})

/** A copy of the migrated database, and its URL. */
const copy = async () => {
  const { context } = await startApp()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(context.db)
  const { connectionString, user, host, port, database } = onDatabase(inject('testDatabase').server, rows[0]?.name ?? '')
  return { db: context.db, url: connectionString ?? `postgres://${user}@${encodeURIComponent(String(host))}:${port}/${database}` }
}
const open = async (url: string, as: 'server' | 'guest', production: boolean): Promise<string[]> => {
  const lines: string[] = []
  const configuration = { ...readConfiguration({ DATABASE_URL: url, SAMPLE: 'none' }), isProduction: production }
  const { stop } = await openConfiguredDatabase(configuration, as, (line) => lines.push(line))
  await stop()
  return lines
}
const doctorReport = async (url: string): Promise<string> => {
  let text = ''
  await doctorCommand({ environment: { DATABASE_URL: url, DATA_DIR: '/tmp' }, out: { write: (more) => (text += more) }, timeoutMs: 2000 })
  return text
}

test('if the tables come from other migration files, a production server refuses to start, commands warn, and the doctor reports it', async () => {
  const { db, url } = await copy()
  expect(await open(url, 'server', true)).toEqual([])
  const [first = ''] = await listMigrations()
  await sql`update migration set digest = 'of another text' where name = ${first}`.execute(db)

  await expect(open(url, 'server', true)).rejects.toThrow(`${first} changed since). Back it up with "homeroom backup FILE" and restore`)
  expect(await open(url, 'server', false)).toEqual([expect.stringContaining(`${first} changed since`)])
  expect(await open(url, 'guest', true)).toEqual([expect.stringContaining(`${first} changed since`)])
  expect(await doctorReport(url)).toMatch(new RegExp(`^WRONG database: .*${first} changed since`, 'm'))
})

test('a migration whose file is missing is distinguished from one of a newer version', async () => {
  const { db, url } = await copy()
  await sql`insert into migration (name, digest) values ('0000-taken-away.sql', 'x')`.execute(db)
  await expect(open(url, 'server', false)).rejects.toThrow('a migration whose file is missing in this version (0000-taken-away.sql)')
  await sql`update migration set name = '9999-tomorrow.sql' where name = '0000-taken-away.sql'`.execute(db)
  await expect(open(url, 'server', false)).rejects.toThrow('belongs to a newer version of Homeroom (it has 9999-tomorrow.sql)')
})

test('a database of a development version from before the first release is refused at startup and reported by the doctor', async () => {
  const { db, url } = await copy()
  await sql`update migration set name = '0001-records.sql' where name = ${(await listMigrations())[0]}`.execute(db)
  const message = 'was created by a development version before the first release (it has 0001-records.sql) and cannot be brought up to date'
  await expect(open(url, 'server', false)).rejects.toThrow(`The database ${message}`)
  expect(await doctorReport(url)).toContain(message)
})

test('a database that cannot store every character is refused at startup and reported by the doctor', async () => {
  const { db, url } = await copy()
  const name = `${new URL(url).pathname.slice(1)}_ascii`
  await sql`create database ${sql.id(name)} encoding 'SQL_ASCII' locale 'C' template template0`.execute(db)
  const ascii = url.replace(/\/[^/]*$/, `/${name}`)
  await expect(open(ascii, 'server', false)).rejects.toThrow('keeps its text as SQL_ASCII, and Homeroom needs UTF8')
  expect(await doctorReport(ascii)).toMatch(/^WRONG database: .*keeps its text as SQL_ASCII/m)
  await sql`drop database ${sql.id(name)}`.execute(db)
})
