import { randomUUID } from 'node:crypto'

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

import { createWebhook } from '../../src/features/exchange/webhooks/contract.ts'
import { addFavorite } from '../../src/features/finding/favorites/contract.ts'
import { addDistrict, addMember, saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { updateSite } from '../../src/records/sites/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from './app.ts'
import { ask, connectClient, letIn } from './assistants.ts'

type Item = Record<string, unknown>

/** In every field of a charter affair, and in nothing else. */
export const AFFAIR_MARK = 'Confidential governance'
export const AFFAIR_CODE = '90817263544'

const createNetwork = async (server: TestApp) => {
  const { make, as } = server
  const mark = `Granite${randomUUID().slice(0, 6)}`
  const brand = await make.brand({ brandName: mark })
  const charter = await make.charter({ name: `${mark} Charter`, brand: brand._id, studentCount: 420 })
  const region = await make.region()
  const site = await make.site({ displayName: `${mark} Lodi`, charter: charter._id, city: 'Lodi', state: 'CA', phone: '209-555-0100' })
  const other = await make.site({
    displayName: `${mark} Galt`,
    charter: charter._id,
    city: 'Galt',
    state: 'CA',
    status: 'CLOSED - PERMANENTLY',
  })
  await make.facility(site._id, { lease_end: '2031-06-30', fac_notes: 'Long note 😀. '.repeat(400), base_rent: '$12,000' })
  const program = await make.programType()
  await make.siteProgram(site._id, program._id)
  const person = await make.person({ name: `Ann ${mark}`, phone: '209-555-0101', sql_person_id: 'P-00771' })
  await make.sitePerson(site._id, 'Principal', person._id)
  await make.sitePerson(other._id, 'Registrar', person._id)
  await make.sitePerson(site._id, 'Registrar', (await make.person({ name: `Bo ${mark}` }))._id)
  await make.sisSite({ site: site._id })

  const params = { id: charter.slug }
  const affairs = as(5)
  const overview = {
    authorizer: AFFAIR_MARK,
    cds_code: AFFAIR_CODE,
    petition_submission_due_date: '01/31/2030',
    charter_expiration_date: '06/30/2031',
  }
  await affairs.send(saveCharterAffair, { params, body: { overview } })
  await affairs.send(saveCharterAffair, { params, body: { funding: { cds_code: AFFAIR_MARK } } })
  await affairs.send(addMember, { params, body: { board_member_name: AFFAIR_MARK, board_term: '07/01/2031' } })
  await affairs.send(addDistrict, { params, body: { center_name: AFFAIR_MARK } })
  await as(6).send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0102' } } })
  const body = { name: mark, url: `https://hooks.example.org/${mark}-secret-address`, events: ['site.changed' as const] }
  const { secret } = await as(1).send(createWebhook, { body })
  await server.catchUp()
  return { mark, brand, charter, region, site, other, person, secrets: [secret, `${mark}-secret-address`] }
}
type Network = Awaited<ReturnType<typeof createNetwork>>

/** An account with an assistant. */
export interface Asker {
  readonly network: Network
  readonly mayReadAffairs: boolean
  readonly publicUrl: string
  /** The same account, with the app. */
  readonly api: SignedInCaller
}

/** A server with assistants, and a network of which fewer people may read a part. */
export const startNetwork = async () => {
  const server = await startApp({ MCP: 'on' })
  return { server, network: await createNetwork(server) }
}

/** An account at a level that uses the app, and an assistant that it let in. */
export const connect = async ({ server, network }: Awaited<ReturnType<typeof startNetwork>>, level: number) => {
  const api = server.as(level)
  await api.send(addFavorite, { params: { kind: 'site', id: network.site._id } })
  const { tokens } = await letIn(server, api)
  const client = await connectClient(server, tokens.access_token)
  const asker: Asker = { network, mayReadAffairs: level <= 6, api, publicUrl: server.context.configuration.publicUrl }
  const { authorization = '' } = await api.headers()
  const secrets = [...network.secrets, tokens.access_token, tokens.refresh_token, authorization.replace('Bearer ', '')]
  return { asker, client, secrets }
}

/** All entries of an answer, or as many as are compared. */
export const askAll = async (client: Client, tool: string, given: Item, wanted: number) => {
  const items: Item[] = []
  const texts: string[] = []
  for (let more: Item | null = {}; more !== null;) {
    const answer = await ask(client, tool, { ...given, ...more })
    if (answer.isError) return { items: null, texts: [answer.text] }
    items.push(...answer.items)
    texts.push(answer.text, JSON.stringify(answer.items))
    const { next } = answer
    more =
      next === null || (typeof next === 'string' && items.length >= wanted)
        ? null
        : { [typeof next === 'string' ? 'before' : 'offset']: next }
  }
  return { items, texts }
}
