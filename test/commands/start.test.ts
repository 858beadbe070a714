import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { getFreePort } from '../support/free-port.ts'
import { environment, expectRefusal, folder, npmStart, processesOnData, ready } from './npm-start.ts'

describe('npm start', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'serves the web app, says that it is ready, and leaves no process behind after %s',
    async (signal) => {
      const program = npmStart({ SAMPLE: 'none' })
      const url = await ready(program)
      expect(await (await fetch(`${url}/charters`)).text()).toContain('<div id="root">')
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect(processesOnData()).not.toEqual([])
      process.kill(-Number(program.child.pid), signal)
      await program.ended
      expect(processesOnData()).toEqual([])
    },
  )
})

describe('an invalid setup is reported in one line', () => {
  test('a port in use', async () => {
    const taken = createServer().listen(Number(environment['PORT']), '127.0.0.1')
    await expectRefusal(npmStart(), /^Port \d+ on 127\.0\.0\.1 is used by another program; stop that one or set PORT/)
    taken.close()
  })

  test('a DATA_DIR that cannot be written', async () => {
    await expectRefusal(npmStart({ DATA_DIR: '/proc/homeroom' }), /^DATA_DIR \/proc\/homeroom cannot be written: /)
    await writeFile(join(folder, 'file'), '')
    await expectRefusal(npmStart({ DATA_DIR: join(folder, 'file', 'data') }), /^DATA_DIR .* cannot be written: /)
  })

  test('a DATABASE_URL that does not respond or is invalid', async () => {
    const nowhere = `postgres://homeroom:secret@127.0.0.1:${await getFreePort()}/homeroom`
    const program = npmStart({ DATABASE_URL: nowhere })
    await expectRefusal(program, /^The database of DATABASE_URL \(127\.0\.0\.1:\d+\/homeroom\) cannot be used: nothing is listening there$/)
    expect(program.output()).not.toContain('secret')
    await expectRefusal(npmStart({ DATABASE_URL: 'mysql://localhost/homeroom' }), /^DATABASE_URL must begin with postgres:\/\//)
  })

  test('all configuration errors together', async () => {
    const program = npmStart({ PORT: 'three', SAMPLE: 'some', TRUST_PROXY: 'perhaps' })
    expect((await program.ended).code).toBe(1)
    expect(program.errors().trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT must be a number/),
      expect.stringMatching(/^TRUST_PROXY must be true or false/),
      expect.stringMatching(/^SAMPLE must be a number of sites/),
    ])
  })
})
