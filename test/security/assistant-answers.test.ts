import { isDeepStrictEqual } from 'node:util'

import { describe, expect, test } from 'vitest'

import { listCoverage } from '../../src/app/coverage/contract.ts'
import { listInsights, readInsight } from '../../src/app/insights/contract.ts'
import type { Call, ResponseOf } from '../../src/contract/call.ts'
import { DEADLINE_KINDS } from '../../src/contract/deadlines.ts'
import { isObject } from '../../src/contract/objects.ts'
import { getRecordPath, PAGED_KINDS, type PagedKind, type RecordHit } from '../../src/contract/records.ts'
import { createProposal, readProposal } from '../../src/features/changing/requests/contract.ts'
import { listDeadlines } from '../../src/features/deadlines/deadlines/contract.ts'
import { readActivity } from '../../src/features/finding/activity/contract.ts'
import { search } from '../../src/features/finding/search/contract.ts'
import { readBrand } from '../../src/records/brands/contract.ts'
import { readCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { readCharter } from '../../src/records/charters/contract.ts'
import { LIST_FILTERS } from '../../src/records/list-download/contract.ts'
import { readPerson } from '../../src/records/people/contract.ts'
import { readRegion } from '../../src/records/regions/contract.ts'
import { readSite } from '../../src/records/sites/contract.ts'
import { AFFAIR_CODE, AFFAIR_MARK, askAll, type Asker, connect, startNetwork } from '../support/assistant-network.ts'
import { ask } from '../support/assistants.ts'

let started: ReturnType<typeof startNetwork> | undefined
const connectAt = async (level: number) => connect(await (started ??= startNetwork()), level)

type Item = Record<string, unknown>
interface Question {
  readonly given: Item
  /** What the answer has to be by that of the API; null if the API refuses. */
  readonly expected: unknown
  /** What is compared, if not the entries of the answer. */
  readonly toComparable?: (items: readonly Item[]) => unknown
}

type Read = <C extends Call>(call: C, inputs?: object) => Promise<ResponseOf<C> | null>
const createRead =
  ({ api }: Asker): Read =>
  async (call, inputs) => {
    const response = await api.trySend(call, inputs as never)
    return response.statusCode < 300 ? response.json() : null
  }

const toUrl = ({ publicUrl }: Asker, record: { kind: string; _id: string; slug: string | null }) =>
  record.slug !== null && PAGED_KINDS.some((kind) => kind === record.kind) ? publicUrl + getRecordPath(record as never) : null
const toHit = (asker: Asker, { kind, _id, slug, name, detail, phone, email, status }: RecordHit): Item => ({
  kind, id: _id, name, detail, phone, email, status, url: toUrl(asker, { kind, _id, slug }),
}) // prettier-ignore

/** A list of changes shows the beginning of a long text. */
const shorten = (value: unknown): unknown => (typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 2000)}…` : value)

/** Every value with its path; empty ones say nothing. */
const listValues = (value: unknown, path = ''): [string, unknown][] => {
  if (value === null || value === undefined || value === '') return []
  if (!Array.isArray(value) && !isObject(value)) return [[path, value]]
  return Object.entries(value).flatMap(([name, inner]) => listValues(inner, path === '' ? name : `${path}.${name}`))
}
/** The values of an answer about one record; a long text comes in pieces. */
const joinFields = (items: readonly Item[]): Item => {
  const joined: Item = {}
  for (const { field, value } of items)
    for (const [path, one] of listValues(value, String(field)))
      joined[path] = path in joined ? `${String(joined[path])}${String(one)}` : one
  return joined
}

const READS: Readonly<Record<PagedKind, { readonly call: Call; readonly parameter: string; readonly of: (network: Asker['network']) => { _id: string; slug: string } }>> = {
  brand: { call: readBrand, parameter: 'id', of: ({ brand }) => brand },
  charter: { call: readCharter, parameter: 'slug', of: ({ charter }) => charter },
  charter_affair: { call: readCharterAffair, parameter: 'id', of: ({ charter }) => charter },
  person: { call: readPerson, parameter: 'slug', of: ({ person }) => person },
  region: { call: readRegion, parameter: 'slug', of: ({ region }) => region },
  site: { call: readSite, parameter: 'slug', of: ({ site }) => site },
} // prettier-ignore

const LISTS_OF: Readonly<Record<string, (network: Asker['network']) => string>> = {
  region_sites: ({ region }) => region._id,
  charter_sites: ({ charter }) => charter._id,
  brand_charters: ({ brand }) => brand._id,
}

/** What each tool is asked, with the answer of the API. The keys are the names of all tools. */
const QUESTIONS: Readonly<Record<string, (asker: Asker) => Promise<readonly Question[]>>> = {
  search: async (asker) => {
    const read = createRead(asker)
    const { mark } = asker.network
    const queries = [{ query: mark }, { query: mark, kind: 'site' }, { query: AFFAIR_CODE }, { query: mark, day: '2020-01-01' }]
    return Promise.all(
      queries.map(async ({ query, kind, day }: { query: string; kind?: string; day?: string }) => {
        const found = await read(search, { query: { q: query, ...(kind ? { kind } : {}), ...(day ? { on: day } : {}) } })
        const hits = found?.groups.flatMap((group) => (group.kind === 'pages' ? [] : group.hits))
        const expected = hits?.map((hit) => ({ ...toHit(asker, hit), match: hit.match })) ?? null
        return { given: { query, ...(kind ? { kind } : {}), ...(day ? { day } : {}) }, expected }
      }),
    )
  },
  get_record: async (asker) => {
    const read = createRead(asker)
    return Promise.all(
      PAGED_KINDS.map(async (kind): Promise<Question> => {
        const { call, parameter, of } = READS[kind]
        const { _id, slug } = of(asker.network)
        const answer = await read(call, { params: { [parameter]: slug } })
        const expected =
          answer &&
          joinFields([
            { field: 'url', value: toUrl(asker, { kind, _id, slug }) },
            { field: '', value: answer },
          ])
        return { given: { kind, id: slug }, expected, toComparable: joinFields }
      }),
    )
  },
  list_records: async (asker) => {
    const { api, network } = asker
    const read = createRead(asker)
    const found = await read(search, { query: { q: network.mark } })
    const hits = found?.groups.flatMap((group) => (group.kind === 'pages' ? [] : group.hits)) ?? []
    return Promise.all(
      Object.keys(LIST_FILTERS).map(async (list): Promise<Question> => {
        const of = LISTS_OF[list]?.(network)
        const given = { list, search: list === 'regions' ? '' : network.mark, ...(of === undefined ? {} : { of }) }
        const csv = await api.request('POST', '/api/exports/list', { payload: { ...given, format: 'csv' } })
        // The lines of the API have names and no ids.
        const names = csv.body
          .trim()
          .split(/\r?\n/)
          .slice(1)
          .map((line) => line.split(',')[0]?.replaceAll('"', ''))
        const regions =
          list === 'regions'
            ? await Promise.all(
                names.map(async (name) => (await read(search, { query: { q: name, kind: 'region' } }))?.groups[0]?.hits[0] as RecordHit),
              )
            : []
        const expected = names
          .map((name) => [...hits, ...regions].find((hit) => hit.name === name))
          .map((hit) => (hit ? toHit(asker, hit) : {}))
        return { given, expected }
      }),
    )
  },
  who_holds: async (asker) => {
    const sites = (await createRead(asker)(listCoverage)) ?? []
    const held = sites.flatMap((site) => site.people.map(({ role, person }) => ({
      role, person: person.name, phone: person.phone, email: person.email, personUrl: toUrl(asker, { kind: 'person', ...person }),
      site: site.displayName, city: site.city, region: site.region?.name ?? null, siteUrl: toUrl(asker, { kind: 'site', ...site }),
    }))) // prettier-ignore
    const { mark } = asker.network
    return [
      { given: {}, expected: held },
      { given: { role: 'principal', place: `${mark} lodi` }, expected: held.filter(({ role, site }) => role === 'Principal' && site === `${mark} Lodi`) },
      { given: { day: '2020-01-01' }, expected: await createRead(asker)(listCoverage, { query: { on: '2020-01-01' } }) },
    ] // prettier-ignore
  },
  vacancies: async (asker) => {
    const sites = (await createRead(asker)(listCoverage)) ?? []
    const vacant = sites.flatMap((site) => site.vacant.map((role) => ({
      role, site: site.displayName, city: site.city, region: site.region?.name ?? null, siteUrl: toUrl(asker, { kind: 'site', ...site }),
    }))) // prettier-ignore
    return [
      { given: {}, expected: vacant },
      { given: { role: 'Registrar' }, expected: vacant.filter(({ role }) => role === 'Registrar') },
    ]
  },
  deadlines: async (asker) => {
    const ofState = async (state: 'open' | 'handled', given: Item): Promise<Question> => {
      const found = await createRead(asker)(listDeadlines, { query: { ...given, state } })
      const expected = found?.map(({ site, charter, source, responsible, kind, ...one }) => ({
        title: one.title, date: one.date, kind: DEADLINE_KINDS[kind].name, state: one.state, proposed: one.proposed,
        about: (site ?? charter)?.name, responsible: responsible?.name ?? null, text: source?.text ?? null, note: one.note,
        url: site ? toUrl(asker, { kind: 'site', ...site }) : charter && toUrl(asker, { ...charter, kind: source?.record ?? 'charter' }),
      })) // prettier-ignore
      return { given: { ...given, state }, expected: expected ?? null }
    }
    return Promise.all([ofState('open', {}), ofState('handled', {}), ofState('open', { from: '2031-01-01', to: '2031-12-31' })])
  },
  activity: async (asker) => {
    const { charter, site } = asker.network
    // Below level 6 the tool does not know the kind.
    const ofAffairs = asker.mayReadAffairs ? [{ kind: 'charter_affair' }] : []
    return Promise.all(
      [{}, { record: site._id }, { record: charter._id }, ...ofAffairs].map(async (given): Promise<Question> => {
        const found = await createRead(asker)(readActivity, { query: given })
        const expected = found?.entries.map(({ at, by, act, records, changes, changeCount }) => ({
          at, by, act, changeCount,
          records: records.map(({ kind, _id, slug, name }) => ({ kind, name, url: toUrl(asker, { kind, _id, slug }) })),
          changes: changes.flatMap(({ part, action, fields }) =>
            fields.map(({ field, from, to, fromName, toName }) => ({ part, action, field, from: shorten(fromName ?? from), to: shorten(toName ?? to) }))),
        })) // prettier-ignore
        return { given, expected: expected ?? null }
      }),
    )
  },
  insight: async (asker) => {
    const { api, network, publicUrl } = asker
    const all = await api.send(listInsights, { query: {} })
    const of = { charter: network.charter.slug }
    const named = all.map(async ({ name }): Promise<Question> => {
      const { title, unit, link, series, compared } = await api.send(readInsight, { params: { name }, query: of })
      const expected = series.map(({ key, label, link: own, ...one }) => ({
        name,
        finding: title,
        series: label,
        unit,
        ...one,
        ...compared?.series.flatMap((before) => (before.key === key ? [{ before: before.points }] : []))[0],
        url: publicUrl + (own ?? link),
      }))
      return { given: { name, ...of }, expected }
    })
    const listed = all.map(({ name, title, link, choices }) => ({
      name,
      finding: title,
      series: null,
      unit: null,
      points: [],
      choices: choices.map((choice) => choice.key),
      url: `${publicUrl}${link}`,
    }))
    return [{ given: {}, expected: listed }, ...(await Promise.all(named))]
  },
  suggest_change: async (asker) => {
    const { api, network } = asker
    const records = { site: network.site._id, charter_affair: network.charter._id }
    const changes = { site: { 'address.phone': '209-555-0199' }, charter_affair: { 'overview.authorizer': 'Other' } }
    const readSent = async (id: unknown) => {
      const { record, fields } = await api.send(readProposal, { params: { id: String(id) } })
      return { record, fields: fields.map(({ path, before, suggested }) => ({ path, before, suggested })) }
    }
    return Promise.all(
      (['site', 'charter_affair'] as const).map(async (kind): Promise<Question> => {
        const given = { kind, id: records[kind], changes: changes[kind] }
        const body = { record: { kind, _id: records[kind] }, changes: changes[kind] }
        const sent = await createRead(asker)(createProposal, { body })
        const toComparable = async ([item]: readonly Item[]) => item && readSent(item['suggestion'])
        return { given, expected: sent && (await readSent(sent._id)), toComparable }
      }),
    )
  },
}

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('at level %i', (level) => {
  test('every tool gives what the API gives the same account, field by field', async () => {
    const { asker, client, secrets } = await connectAt(level)
    const { mayReadAffairs } = asker
    const { tools } = await client.listTools()
    expect(Object.keys(QUESTIONS).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    const texts = [JSON.stringify([tools, await client.listResourceTemplates(), await client.listResources()])]
    for (const [tool, toQuestions] of Object.entries(QUESTIONS))
      for (const { given, expected, toComparable = (items: readonly Item[]): unknown => items } of await toQuestions(asker)) {
        const answer = await askAll(client, tool, given, Array.isArray(expected) ? expected.length : 0)
        const what = `${tool} ${JSON.stringify(given)}`
        expect.soft(answer.items && (await toComparable(answer.items)), what).toEqual(expected)
        if (given['query'] !== AFFAIR_CODE) texts.push(...answer.texts)
      }
    const said = texts.join('\n')
    expect([said.includes(AFFAIR_MARK), /petition|authorizer|2030-01-31/i.test(said), said.includes(AFFAIR_CODE)]).toEqual([
      mayReadAffairs, mayReadAffairs, mayReadAffairs,
    ]) // prettier-ignore
    for (const secret of secrets) expect(said).not.toContain(secret)
  })

  test('the insights and kinds that a tool offers are those of the API', async () => {
    const { asker, client } = await connectAt(level)
    const { mayReadAffairs } = asker
    const { tools } = await client.listTools()
    const listChoices = (tool: string, input: string) => {
      const schema = tools.find(({ name }) => name === tool)?.inputSchema.properties?.[input]
      return isObject(schema) && Array.isArray(schema['enum']) ? schema['enum'] : []
    }
    const insights = await asker.api.send(listInsights, { query: { titles: 'no' } })
    expect(listChoices('insight', 'name')).toEqual(insights.map(({ name }) => name))
    expect(listChoices('get_record', 'kind').includes('charter_affair')).toBe(mayReadAffairs)
    expect(listChoices('suggest_change', 'kind').includes('charter_affair')).toBe(mayReadAffairs)
    expect(listChoices('list_records', 'list')).toEqual(Object.keys(LIST_FILTERS))
  })

  test('a refusal says nothing of what the account may not read', async () => {
    const { asker, client, secrets } = await connectAt(level)
    const { charter, site } = asker.network
    const refused: [string, Item, Item][] = [
      ['get_record', { kind: 'charter_affair', id: charter.slug }, { kind: 'nonsense', id: charter.slug }],
      ['get_record', { kind: 'charter_affair', id: charter.slug, view: 'fields' }, { kind: 'nonsense', id: charter.slug, view: 'fields' }],
      ['suggest_change', { kind: 'charter_affair', id: charter.slug, changes: {} }, { kind: 'nonsense', id: charter.slug, changes: {} }],
      ['activity', { kind: 'charter_affair' }, { kind: 'nonsense' }],
      ['deadlines', { kind: 'charter_term' }, { kind: 'nonsense' }],
      ['insight', { name: 'charter-terms' }, { name: 'nonsense' }],
    ]
    for (const [tool, hidden, unknown] of refused) {
      const [answer, comparison] = [await ask(client, tool, hidden), await ask(client, tool, unknown)]
      expect(comparison.isError, tool).toBe(true)
      expect(asker.mayReadAffairs || isDeepStrictEqual(answer, comparison), tool).toBe(true)
      for (const secret of secrets) expect(answer.text + comparison.text).not.toContain(secret)
    }
    const read = (id: string) => client.readResource({ uri: `${asker.publicUrl}/charter_affair/${id}` }).then(JSON.stringify, String)
    const [affair, nothing] = [await read(charter.slug), await read('nonsense')]
    expect([affair.includes(AFFAIR_MARK), affair.replaceAll(charter.slug, 'nonsense') === nothing]).toEqual([
      asker.mayReadAffairs,
      !asker.mayReadAffairs,
    ])
    const wrong = await ask(client, 'suggest_change', { kind: 'site', id: site._id, changes: { 'overview.authorizer': 'Other' } })
    expect([wrong.isError, wrong.text.includes(AFFAIR_MARK)]).toEqual([true, false])
  })
})
