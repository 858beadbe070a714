import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../../test/support/app.ts'
import { connectDevice } from '../../../../test/support/dav.ts'
import { createDeparture, deleteDeparture } from '../../../app/departures/contract.ts'
import { createDevice, createDeviceProfile, deleteDevice, listDevices } from './contract.ts'

const setUp = async (level = 10) => {
  const net = await network()
  const owner = net.as(level)
  return { ...net, owner, phone: await connectDevice(net, owner, 'My phone') }
}

const statusOf = async (phone: Awaited<ReturnType<typeof connectDevice>>) => (await phone.request('GET', '/dav/')).statusCode

describe('a device', () => {
  test('gets a password that is shown once, and is listed with the program that used it last', async () => {
    const { owner, phone } = await setUp()
    const { account, azureID, name } = await owner.who()
    const { _id, username, password } = phone.device
    expect(Object.keys(phone.device)).toEqual(['_id', 'username', 'password'])
    expect([username, password]).toEqual([azureID, expect.stringMatching(/^[a-z2-9]{6}(-[a-z2-9]{6}){3}$/)])
    const unused = {
      _id,
      name: 'My phone',
      username,
      createdAt: expect.any(String),
      lastUsedAt: null,
      client: null,
      owner: { _id: account, name },
    }
    expect(await owner.send(listDevices)).toEqual([unused])
    await phone.request('GET', '/dav/', undefined, { 'user-agent': 'iOS/19.1 (22B83) dataaccessd/1.0' })
    const [used] = await owner.send(listDevices)
    expect(used).toEqual({ ...unused, lastUsedAt: expect.any(String), client: 'iPhone' })
    expect(Math.abs(Date.parse(used?.lastUsedAt ?? '') - Date.now())).toBeLessThan(60_000)
    await phone.request('GET', '/dav/', undefined, { 'user-agent': 'DAVx5/4.4.5-ose (dav4jvm; okhttp/4.12.0) Android/15' })
    expect((await owner.send(listDevices))[0]?.client).toBe('DAVx5 on Android')
  })

  test('has a password of which only the hash is stored', async () => {
    const { phone, context } = await setUp()
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(context.db)
    expect(rows.map(({ name }) => name)).toContain('device')
    const secrets = [phone.device.password, phone.device.password.replaceAll('-', '')]
    for (const { name } of rows)
      for (const secret of secrets) {
        const found = await sql`select 1 from ${sql.table(name)} as t where position(${secret} in t::text) > 0`.execute(context.db)
        expect(found.rows, name).toEqual([])
      }
  })

  test('is listed for its owner and level 1, and ended by them only', async () => {
    const { owner, as, phone } = await setUp()
    const [other, top] = [as(5), as(1)]
    const params = { id: phone.device._id }
    expect(await other.send(listDevices)).toEqual([])
    expect((await top.send(listDevices)).map(({ _id }) => _id)).toContain(params.id)
    expect((await other.trySend(deleteDevice, { params })).statusCode).toBe(404)
    expect(await statusOf(phone)).toBe(200)
    expect((await owner.trySend(deleteDevice, { params })).statusCode).toBe(204)
    expect(await statusOf(phone)).toBe(401)
    expect((await owner.trySend(deleteDevice, { params })).statusCode).toBe(404)
    const second = await owner.send(createDevice, { body: { name: 'Second' } })
    expect((await top.trySend(deleteDevice, { params: { id: second._id } })).statusCode).toBe(204)
    expect(await owner.send(listDevices)).toEqual([])
  })

  test('is created by people, not by programs', async () => {
    const { owner } = await setUp()
    const program = await owner.program()
    expect((await program.trySend(createDevice, { body: { name: 'Phone' } })).statusCode).toBe(403)
    expect((await program.trySend(listDevices)).statusCode).toBe(403)
  })

  test('needs a name, and there are at most fifty of one person', async () => {
    const { as } = await network()
    const owner = as(10)
    const make = (name: string) => owner.trySend(createDevice, { body: { name } })
    for (const wrong of ['', ' ', 'x'.repeat(101), 'a\nb']) expect((await make(wrong)).statusCode).toBe(422)
    for (let at = 0; at < 50; at++) expect((await make(`Device ${at}`)).statusCode).toBe(200)
    expect((await make('One too many')).statusCode).toBe(409)
  })
})

describe('a device password', () => {
  test('ends when the owner leaves, even if that is undone', async () => {
    const { as, make, owner, phone } = await setUp()
    const person = await make.person({ email: (await owner.who()).azureID })
    expect(await statusOf(phone)).toBe(200)
    await as(1).send(createDeparture, { params: { id: person._id }, body: {} })
    expect(await statusOf(phone)).toBe(401)
    await as(1).send(deleteDeparture, { params: { id: person._id } })
    expect(await statusOf(phone)).toBe(401)
  })

  test('is refused while the account is disabled or belongs to another tenant', async () => {
    const { owner, phone, context } = await setUp()
    const { account } = await owner.who()
    const { tenant } = await context.db.selectFrom('account').select('tenant').where('_id', '=', account).executeTakeFirstOrThrow()
    const update = (columns: object) => context.db.updateTable('account').set(columns).where('_id', '=', account).execute()
    for (const [closed, open] of [
      [{ closedAt: new Date() }, { closedAt: null }],
      [{ disabledAt: new Date() }, { disabledAt: null }],
      [{ tenant: 'another tenant' }, { tenant }],
    ] as const) {
      await update(closed)
      expect(await statusOf(phone)).toBe(401)
      await update(open)
      expect(await statusOf(phone)).toBe(200)
    }
  })

  test('works after the email address of its owner changed', async () => {
    const { owner, phone, context } = await setUp()
    const { account } = await owner.who()
    await context.db.updateTable('account').set({ azureID: 'renamed@schools.test' }).where('_id', '=', account).execute()
    expect(await statusOf(phone)).toBe(200)
    expect((await owner.send(createDevice, { body: { name: 'New' } })).username).toBe('renamed@schools.test')
  })
})

describe('a configuration profile', () => {
  const read = (net: Awaited<ReturnType<typeof network>>, url: string) => net.anonymous.request('GET', new URL(url).pathname)

  test('sets up the address books at a private address, for a phone that is not signed in', async () => {
    const net = await setUp()
    const { owner, phone, context } = net
    const { _id, username, password } = phone.device
    const given = await owner.send(createDeviceProfile, { params: { id: _id }, body: { password } })
    expect(given.url).toMatch(/\/dav-profile\/[\w-]{40,400}\.mobileconfig$/)
    expect(given.url).not.toContain(password)
    const response = await read(net, given.url)
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-apple-aspen-config',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="homeroom.mobileconfig"',
    })
    const { account } = await owner.who()
    const { hostname } = new URL(context.configuration.publicUrl)
    for (const [key, value] of [
      ['PayloadType', 'com.apple.carddav.account'],
      ['CardDAVHostName', hostname],
      ['CardDAVPrincipalURL', `/dav/principals/${account}/`],
      ['CardDAVUsername', username],
      ['CardDAVPassword', password],
    ])
      expect(response.body.replace(/\n/g, '')).toContain(`<key>${key}</key><string>${value}</string>`)
    expect(response.body).toContain('<key>CardDAVUseSSL</key><false/>')
    // The same profile again replaces the first one.
    expect((await read(net, given.url)).body).toBe(response.body)
  })

  test('needs the password of the device, and the device', async () => {
    const net = await setUp()
    const { owner, as, phone } = net
    const { _id, password } = phone.device
    const params = { id: _id }
    expect((await owner.trySend(createDeviceProfile, { params, body: { password: 'wrong' } })).json()).toMatchObject({
      status: 422,
      errors: [{ path: 'password' }],
    })
    expect((await as(1).trySend(createDeviceProfile, { params, body: { password } })).statusCode).toBe(422)
    const { url } = await owner.send(createDeviceProfile, { params, body: { password } })
    // The last character may have bits that say nothing.
    for (const wrong of [url.replace(/(?<=dav-profile\/)./, (first) => (first === 'A' ? 'B' : 'A')), `${url.slice(0, -60)}.mobileconfig`])
      expect((await read(net, wrong)).statusCode).toBe(404)
    await owner.send(deleteDevice, { params })
    expect((await read(net, url)).statusCode).toBe(404)
  })

  test('is gone after fifteen minutes', async () => {
    let now = new Date()
    const app = await startApp({}, undefined, undefined, () => now)
    const owner = app.as(10)
    const { device } = await connectDevice(app, owner)
    const { url } = await owner.send(createDeviceProfile, { params: { id: device._id }, body: { password: device.password } })
    const path = new URL(url).pathname
    now = new Date(now.getTime() + 14 * 60_000)
    expect((await app.anonymous.request('GET', path)).statusCode).toBe(200)
    now = new Date(now.getTime() + 2 * 60_000)
    expect((await app.anonymous.request('GET', path)).statusCode).toBe(404)
  })
})
