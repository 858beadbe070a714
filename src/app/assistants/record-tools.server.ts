import { z } from 'zod'

import type { Call } from '../../contract/call.ts'
import { can } from '../../contract/capabilities.ts'
import { FILTER_NAMES } from '../../contract/lists.ts'
import { isObject } from '../../contract/objects.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import {
  EDITABLE_KINDS,
  getOwnerKind,
  getReadCapability,
  getRecordName,
  getRecordPath,
  PAGED_KINDS,
  type PagedKind,
  RECORD_KINDS,
  type RecordHit,
  RecordKind,
} from '../../contract/records.ts'
import { createProposal, MAX_NOTE_LENGTH } from '../../features/changing/requests/contract.ts'
import {
  type AssistantCaller,
  type AssistantResource,
  type AssistantTool,
  defineTool,
  offsetInput,
  type ToolAnswer,
  type ToolItem,
} from '../../features/exchange/assistants/tools.server.ts'
import { MAX_QUERY_LENGTH, search } from '../../features/finding/search/contract.ts'
import { listRecordHits } from '../../platform/server/read-model/record-hits.ts'
import { type EditableRecordKind, listPartFields, type PartField, type RecordKinds } from '../../platform/server/record-editor.ts'
import { readBrand } from '../../records/brands/contract.ts'
import { readCharterAffair } from '../../records/charter-affairs/contract.ts'
import { readCharter } from '../../records/charters/contract.ts'
import { LIST_FILTERS, type ListRequest } from '../../records/list-download/contract.ts'
import { readPerson } from '../../records/people/contract.ts'
import { readRegion } from '../../records/regions/contract.ts'
import { readSite } from '../../records/sites/contract.ts'

/** The calls that read a record. All take its `_id` or slug. */
const READS: Readonly<Record<PagedKind, Call>> = {
  brand: readBrand,
  charter: readCharter,
  charter_affair: readCharterAffair,
  person: readPerson,
  region: readRegion,
  site: readSite,
}

type Level = number
const isReadable =
  (level: Level) =>
  (kind: string): boolean =>
    can(level, getReadCapability(kind))
/** An input that names one of these. */
const enumOf = <T extends string>(names: readonly T[]) => z.enum(names as [T, ...T[]])

export const dayInput = z.iso.date().optional().describe('Shows the end of this past day instead of the present, such as 2026-03-01')
const idInput = z.string().min(1).max(200).describe('The id from another answer, or the last part of the address of its page')
const text = z.string().nullable()

type Addressed = { readonly kind: string; readonly _id: string; readonly slug: string | null }
/** The address of the page of a record; null for one without a page. */
export const findPageUrl = ({ context: { configuration } }: AssistantCaller, { kind, _id, slug }: Addressed): string | null => {
  const paged = PAGED_KINDS.find((one) => one === kind)
  return paged === undefined || slug === null ? null : configuration.publicUrl + getRecordPath({ kind: paged, _id, slug })
}

const hitItem = z.object({
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  detail: z.string(),
  phone: text,
  email: text,
  status: text,
  url: text,
})
const toHitItem = (caller: AssistantCaller, { kind, _id, slug, name, detail, phone, email, status }: RecordHit): ToolItem => ({
  kind,
  id: _id,
  name,
  detail,
  phone,
  email,
  status,
  url: findPageUrl(caller, { kind, _id, slug }),
})

const searchTool = defineTool({
  name: 'search',
  title: 'Search the directory',
  description:
    'Finds sites, charters, brands, regions and people by name, role, place, number or part of a phone number; misspelled names are found too. Start here if you have a name. “principal lodi” finds people by role and place.',
  scope: 'look_up',
  input: {
    query: z.string().min(1).max(MAX_QUERY_LENGTH),
    kind: RecordKind.optional().describe('Only records of this kind, with more of them'),
    day: dayInput,
    offset: offsetInput,
  },
  item: hitItem.extend({ match: z.string().describe('exact, prefix, or close for a similar spelling') }),
  run: async (caller, { query, kind, day, offset }) => {
    const { groups } = await caller.send(search, { query: { q: query, kind }, on: day })
    const found = groups.flatMap((group) => (group.kind === 'pages' ? [] : [group]))
    const items = found.flatMap(({ hits }) => hits.map((hit) => ({ ...toHitItem(caller, hit), match: hit.match })))
    const isAll = found.every(({ total, more, hits }) => !more && total === hits.length)
    const rest = isAll ? undefined : `${kind === undefined ? 'name a kind, ' : ''}use more words, or list_records with \`search\``
    return { heading: 'Records that were found, the best first', items: items.slice(offset), offset, total: items.length, rest }
  },
})

const MAX_PIECE_LENGTH = 1500
/** A value, of which a long text comes in pieces of whole characters: an answer would cut it off. */
const splitText = (value: unknown): unknown[] => (typeof value === 'string' ? (value.match(/.{1,1000}/gsu) ?? [value]) : [value])

/** The parts of a record as entries, so that a long one can be read piece by piece. Empty values are left out. */
function* splitRecord(field: string, value: unknown): Generator<ToolItem> {
  if (value === null || value === undefined || value === '') return
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : null
  if (entries === null || (field !== '' && !Array.isArray(value) && JSON.stringify(value).length <= MAX_PIECE_LENGTH)) {
    for (const piece of splitText(value)) yield { field, value: piece }
  } else for (const [name, inner] of entries) yield* splitRecord(field === '' ? String(name) : `${field}.${name}`, inner)
}

/** The fields for which a change can be suggested, with their present values. */
const listFields = async ({ context, user }: AssistantCaller, kind: EditableRecordKind, id: string): Promise<ToolItem[]> => {
  const { db, readModel } = context
  await readModel.ready()
  const key = kind.findKey(readModel, id)
  const fields: Pick<PartField, 'path' | 'label' | 'value'>[] = []
  for (const part of kind.parts.filter(({ table }) => isReadable(user.accessLevel)(table))) {
    const input = (await part.readInputs(db, readModel, [key])).get(key) ?? {}
    fields.push(...listPartFields(part, input, readModel))
  }
  // A section of a record stores only what is filled in.
  const filled = new Set(fields.map(({ path }) => path))
  const columns = Object.values(kind.sheets).flatMap((sheet) => sheet.columns(readModel))
  for (const { path, label, isForNewRows } of columns) if (!isForNewRows && !filled.has(path)) fields.push({ path, label, value: null })
  return fields.flatMap(({ path, label, value }) => splitText(value).map((piece) => ({ field: path, label, value: piece })))
}

interface RecordQuestion {
  readonly kind: PagedKind
  readonly id: string
  readonly view: 'record' | 'fields'
  readonly day?: string | undefined
  readonly offset: number
}
const readRecord = async (caller: AssistantCaller, { kind, id, view, day, offset }: RecordQuestion): Promise<ToolAnswer> => {
  if (view === 'fields' && day !== undefined)
    throw new Problem(422, 'Suggestions change the present record: leave out the day to get its fields')
  const call = READS[kind]
  const [parameter = ''] = Object.keys(call.params?.shape ?? {})
  const answer: unknown = await caller.send(call, { params: { [parameter]: id }, on: day })
  // A charter affair comes in a list, with its charter.
  const record = Array.isArray(answer) ? answer[0] : answer
  if (!isObject(record)) throw notFound(getRecordName(kind))
  const slug = typeof record['slug'] === 'string' ? record['slug'] : null
  const url = findPageUrl(caller, { kind, _id: String(record['_id']), slug })
  const editable = EDITABLE_KINDS.find((one) => one === kind)
  const fields = view === 'fields' && editable ? await listFields(caller, caller.context.kinds[editable], id) : [...splitRecord('', record)]
  const items = [{ field: 'url', value: url }, ...fields]
  return { heading: 'The record, by its fields', items: items.slice(offset), offset, total: items.length }
}

const createGetRecord = (level: Level): AssistantTool =>
  defineTool({
    name: 'get_record',
    title: 'Read a record',
    description:
      'Everything about one record: of a site also its people, facility and enrollment, of a person their roles. With view “fields”, the fields for which suggest_change takes a new value, with their paths and labels.',
    scope: 'look_up',
    input: {
      kind: enumOf(PAGED_KINDS.filter(isReadable(level))),
      id: idInput,
      view: z.enum(['record', 'fields']).default('record'),
      day: dayInput,
      offset: offsetInput,
    },
    item: z.object({ field: z.string(), label: z.string().optional(), value: z.unknown() }),
    run: readRecord,
  })

type ListName = ListRequest['list']
/** The kind of the records in a list; the declarations of kinds name their lists. */
const getKindOfList = (kinds: RecordKinds, list: ListName): RecordKind =>
  RECORD_KINDS.find((kind) => {
    const lists = kind in kinds ? kinds[kind as keyof RecordKinds].lists : undefined
    return lists?.all === list || lists?.others.includes(list) === true
  }) ?? 'region'

const LIST_NAMES = Object.keys(LIST_FILTERS) as ListName[]
const HITS_PER_ANSWER = 100
/** Which filters each list has, for the description. */
const FILTERS_OF_LISTS = LIST_NAMES.map((list) => `${list}: ${Object.keys(LIST_FILTERS[list]).join(', ')}`).join('; ')

const createListRecords = (level: Level, kinds: RecordKinds): AssistantTool =>
  defineTool({
    name: 'list_records',
    title: 'List records',
    description: `A list of records, as its page shows it with these filters. region_sites, charter_sites and brand_charters need \`of\`, the id of that region, charter or brand. Filters of each list: ${FILTERS_OF_LISTS}; \`where\` filters by the columns of the page.`,
    scope: 'look_up',
    input: {
      list: enumOf(LIST_NAMES.filter((list) => isReadable(level)(getKindOfList(kinds, list)))),
      of: idInput.optional(),
      search: z.string().max(300).default('').describe('A part of a name, place or number'),
      filters: z.partialRecord(z.enum(FILTER_NAMES), z.string().max(300)).default({}),
      sort: z.string().max(100).optional().describe('A column, with - before it for descending order'),
      day: dayInput,
      offset: offsetInput,
    },
    item: hitItem,
    run: async (caller, { list, of, search: searched, filters, sort, day, offset }) => {
      const context = day === undefined ? caller.context : await caller.context.asOf(day)
      const request = {
        list,
        ...(of === undefined ? {} : { of }),
        format: 'csv',
        filters,
        search: searched,
        ...(sort === undefined ? {} : { sort }),
      }
      const ids = await context.listRecordIds(context, request)
      const kind = getKindOfList(kinds, list)
      const page = ids.slice(offset, offset + HITS_PER_ANSWER).map((record) => ({ kind, record }))
      const hits = await listRecordHits(context.readModel, page)
      return { heading: 'Records of this list', items: hits.map((hit) => toHitItem(caller, hit)), offset, total: ids.length }
    },
  })

const createSuggestChange = (level: Level): AssistantTool =>
  defineTool({
    name: 'suggest_change',
    title: 'Suggest a change',
    description:
      'Suggests new values for fields of a record. Nothing changes until someone who may edit the record accepts it. Ask the person first. Take the paths from get_record with view “fields”: {"phone": "(209) 555-0101"}.',
    scope: 'suggest_changes',
    input: {
      kind: enumOf(EDITABLE_KINDS.filter(isReadable(level))),
      id: idInput,
      changes: z.record(z.string().max(200), z.unknown()).describe('New values by path; null empties a field'),
      note: z
        .string()
        .max(MAX_NOTE_LENGTH - 150)
        .optional()
        .describe('Why, for the person who decides'),
    },
    item: z.object({ suggestion: z.string(), state: z.string(), url: z.string() }),
    run: async ({ send, user, context: { configuration } }, { kind, id, changes, note }) => {
      const sentBy = `Sent by the assistant ${user.token ?? ''}.`
      const { _id } = await send(createProposal, {
        body: { record: { kind, _id: id }, changes, note: note === undefined ? sentBy : `${note}\n${sentBy}` },
      })
      const item = { suggestion: _id, state: 'waits for a decision', url: `${configuration.publicUrl}/requests/${_id}` }
      return { heading: 'The suggestion was sent. A person decides on it', items: [item] }
    },
  })

/** The tools about records, for a level. */
export const createRecordTools = (level: Level, kinds: RecordKinds): AssistantTool[] => [
  searchTool,
  createGetRecord(level),
  createListRecords(level, kinds),
]
export const createWritingTools = (level: Level): AssistantTool[] => [createSuggestChange(level)]

/** The pages of records, for a level. */
export const createResources = (level: Level, publicUrl: string): AssistantResource[] =>
  PAGED_KINDS.filter(isReadable(level)).map((kind) => ({
    name: kind,
    title: getRecordName(kind),
    template: publicUrl + getRecordPath({ kind, slug: 'KEY', _id: 'KEY' }).replace('KEY', '{key}'),
    read: (caller, id) => readRecord(caller, { kind, id, view: 'record', offset: 0 }),
    complete: async ({ send }, typed) => {
      const searched = RecordKind.safeParse(getOwnerKind(kind) ?? kind)
      if (typed.trim() === '' || !searched.success) return []
      const { groups } = await send(search, { query: { q: typed.slice(0, MAX_QUERY_LENGTH), kind: searched.data } })
      const hits = groups.flatMap((group) => (group.kind === 'pages' ? [] : group.hits))
      const start = getRecordPath({ kind, slug: '', _id: '' }).length
      return hits.map(({ _id, slug }) => decodeURIComponent(getRecordPath({ kind, _id, slug }).slice(start)))
    },
  }))
