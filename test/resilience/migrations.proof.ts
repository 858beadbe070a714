import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import type { Db } from '../../src/database/connection.server.ts'
import { listAppliedMigrationNames, listMigrations, migrate } from '../../src/database/migrate.server.ts'
import { withPrivateDatabase } from '../support/database.ts'
import { type Proof, readNumberOptions, runProof } from '../support/proof.ts'
import { digestTables, listDifferences, dumpSchema } from '../support/schema-dump.ts'
import { createServer, type Environment, type TestServer } from '../support/server.ts'
import { openTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'
import {
  buildGate,
  closeGate,
  fillOldNetwork,
  FIRST_MIGRATIONS,
  isGateReached,
  countPassedStatements,
  removeGate,
} from './migrations/old-schema.ts'

// A migration that is killed midway continues or rolls back at the next start.

/** The final state after all migrations, starting from an old network. */
type Goal = Awaited<ReturnType<typeof migrateUninterrupted>>

const GATE_TIMEOUT_MS = 120_000

/** Kills migrations at `points` positions, restarts, and compares the result with an uninterrupted migration. */
export const runMigrationsProof = async (proof: Proof, points: number): Promise<void> => {
  await using temporary = await openTemporaryFolder()
  const folder = temporary.path
  const all = await listMigrations()
  const empty = join(folder, 'empty')
  await withPrivateDatabase(empty, buildGate)
  const fromEmpty = await migrateUninterrupted(folder, empty)
  const old = join(folder, 'old')
  await withPrivateDatabase(old, async (db) => {
    await migrate(db, all.slice(0, FIRST_MIGRATIONS))
    await fillOldNetwork(db)
    await buildGate(db)
  })
  const goal = await migrateUninterrupted(folder, old)
  proof.report('Migrations from an empty database, and of these for the old network', `${all.length}, ${all.length - FIRST_MIGRATIONS}`)
  proof.report('Statements of both that create, alter or drop something', `${fromEmpty.statements}, ${goal.statements}`)
  await killAtPoints(proof, folder, [goal, withoutIds(fromEmpty)], points)
  await checkNeighborVersions(proof, folder, goal)
}

/** Rows of a new installation get new ids each time, so only their number is compared. */
const withoutIds = (goal: Goal): Goal => ({ ...goal, contents: toCounts(goal.contents), areIdsNew: true })
const toCounts = (contents: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(contents).map(([table, text]) => [table, text.split(' ')[0] ?? '']))

/** A copy with the same owners: under root the database belongs to another user. */
const copyDataDir = (old: string, folder: string, name: string): string => {
  const dataDir = join(folder, name)
  if (spawnSync('cp', ['-a', old, dataDir]).status !== 0) throw new Error(`${old} cannot be copied`)
  return dataDir
}

const migrateUninterrupted = async (folder: string, start: string) => {
  const dataDir = copyDataDir(start, folder, 'reference')
  const reached = await withPrivateDatabase(dataDir, async (db) => {
    await sql`select setval('gate.turn', 1, false)`.execute(db)
    await migrate(db)
    /** The number of statements that create, alter or drop something. */
    const statements = await countPassedStatements(db)
    await removeGate(db)
    return { contents: await digestTables(db), migrations: await listAppliedMigrationNames(db), statements }
  })
  await removeFolder(dataDir)
  const fresh = join(folder, 'fresh')
  const schema = await withPrivateDatabase(fresh, async (db) => {
    await migrate(db)
    return dumpSchema(db)
  })
  await removeFolder(fresh)
  return { ...reached, start, schema, areIdsNew: false }
}

const createEmptyServer = (dataDir: string, more: Environment = {}): Promise<TestServer> =>
  createServer({ DATA_DIR: dataDir, SAMPLE: 'none', LOG_LEVEL: 'fatal', ...more })

/** How a database differs from its final state. */
const listMissing = async (db: Db, goal: Goal): Promise<string[]> => [
  ...listDifferences('schema', await dumpSchema(db), goal.schema),
  ...listDifferences('rows', goal.areIdsNew ? toCounts(await digestTables(db)) : await digestTables(db), goal.contents),
]

/** Kills at positions of several migrations in turn, each with its own start and final state. */
const killAtPoints = async (proof: Proof, folder: string, goals: readonly Goal[], points: number): Promise<void> => {
  const wrong: string[] = []
  const completed: number[] = []
  let incomplete = 0
  for (let at = 0; at < points; at++) {
    const goal = goals[at % goals.length]!
    const turn = 1 + Math.floor(((at + 0.5) * goal.statements) / points)
    // Half of the kills of each migration include the database.
    const isDatabaseKilled = (at + Math.floor(at / goals.length)) % 2 === 1
    const dataDir = copyDataDir(goal.start, folder, `killed-${at}`)
    {
      await using server = await createEmptyServer(dataDir)
      completed.push(await killAt(server, dataDir, turn, isDatabaseKilled))
      await server.start()
      const differences = await withPrivateDatabase(dataDir, async (db) => {
        await removeGate(db)
        return listMissing(db, goal)
      })
      if (differences.length > 0) incomplete++
      wrong.push(...differences.map((line) => `at statement ${turn}: ${line}`))
    }
    await removeFolder(dataDir)
  }
  for (const line of wrong.slice(0, 5)) proof.log(line)
  proof.report('Points at which the server was killed, every second time with its database', points)
  proof.report('Migrations completed by then', `${Math.min(...completed)} to ${Math.max(...completed)}`)
  proof.expectEqual('Of those, without the newest tables or with other rows after the next start', incomplete, 0)
}

/** Starts the server, waits until its migration reaches a statement, and kills it there; returns how many migrations were applied. */
const killAt = (server: TestServer, dataDir: string, turn: number, isDatabaseKilled: boolean): Promise<number> =>
  withPrivateDatabase(
    dataDir,
    async (db) => {
      await closeGate(db, turn)
      server.spawn()
      for (const until = Date.now() + GATE_TIMEOUT_MS; !(await isGateReached(db)); await pause(10))
        if (Date.now() > until || !server.isRunning) throw new Error(`The migration did not come to statement ${turn}`)
      const { length } = await listAppliedMigrationNames(db)
      await server.kill()
      if (isDatabaseKilled) await server.killDatabase()
      return length
    },
    { durable: true },
  )

/** The previous version, the next one, and two servers at once. */
const checkNeighborVersions = async (proof: Proof, folder: string, goal: Goal): Promise<void> => {
  const before = copyDataDir(goal.start, folder, 'before')
  await withPrivateDatabase(before, async (db) => {
    await removeGate(db)
    await migrate(db, goal.migrations.slice(0, -1))
  })
  await using server = await createEmptyServer(before)
  await server.start()
  proof.expectNone(
    'Differences in a database one version older, once opened',
    await withPrivateDatabase(before, (db) => listMissing(db, goal)),
  )
  await server.stop()
  await withPrivateDatabase(before, (db) => sql`insert into migration (name, digest) values ('9999-tomorrow.sql', '')`.execute(db))
  const newerContents = await withPrivateDatabase(before, digestTables)
  const newer = server.spawn()
  const { code } = await newer.ended
  const isRefused =
    code === 1 && /^The database belongs to a newer version of Homeroom \(it has 9999-tomorrow\.sql\); .*$/.test(newer.errors().trim())
  proof.expectEqual('A database one version newer is refused with one line', Number(isRefused), 1)
  proof.expectNone('Tables of it that changed', listDifferences('rows', await withPrivateDatabase(before, digestTables), newerContents))

  const shared = copyDataDir(goal.start, folder, 'shared')
  await withPrivateDatabase(shared, async (db, { host }) => {
    await removeGate(db)
    const DATABASE_URL = `postgres://homeroom@${encodeURIComponent(String(host))}:5432/homeroom`
    await using one = await createEmptyServer(join(folder, 'one'), { DATABASE_URL })
    await using two = await createEmptyServer(join(folder, 'two'), { DATABASE_URL })
    await Promise.all([one.start(), two.start()])
    const running = [one, two].filter(({ isRunning }) => isRunning)
    proof.expectEqual('Servers that started at the same time on one old database and serve', running.length, 2)
    proof.expectNone('Differences in that database', await listMissing(db, goal))
  })
}

if (import.meta.main) await runProof('migrations', (proof) => runMigrationsProof(proof, readNumberOptions({ points: 20 }).points))
