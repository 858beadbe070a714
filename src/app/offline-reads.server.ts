import { type Call, callName } from '../contract/call.ts'
import { notFound } from '../contract/problem.ts'
import { getRecordName } from '../contract/records.ts'
import type { AddressableTable } from '../database/record-lookup.server.ts'
import { search } from '../features/finding/search/contract.ts'
import type { SearchEngine } from '../features/finding/search/engine/search-engine.ts'
import { answerSearch, buildEngine, describeGroups } from '../features/finding/search/search-answer.server.ts'
import type { ListSource } from '../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../platform/server/read-model/read-model.ts'
import { getModelId } from '../platform/server/read-model/read-record.ts'
import { createHitSource } from '../platform/server/read-model/record-hits.ts'
import { Records } from '../platform/server/read-model/records.ts'
import { toSiteSummary } from '../platform/server/read-model/references.ts'
import { getText } from '../platform/server/read-model/table-rows.ts'
import { getTable, isModelTable, MODEL_TABLE_NAMES, type ModelRow, type ModelTable } from '../platform/server/read-model/tables.ts'
import { listBrands, readBrand, viewBrand } from '../records/brands/contract.ts'
import { BRAND_ROWS, toBrand } from '../records/brands/queries.server.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from '../records/charters/contract.ts'
import { CHARTER_ROWS, getStudentTotal, toCharter, toCharterWithSites } from '../records/charters/queries.server.ts'
import { listProgramTypes } from '../records/enrollment/contract.ts'
import { toProgramTypes } from '../records/enrollment/queries.server.ts'
import {
  listLeadershipRoles,
  listPeople,
  listPeopleOfGroup,
  listRoles,
  listStudentSupportRoles,
  readPerson,
  RoleGroup,
} from '../records/people/contract.ts'
import { listPeopleOf, toPersonWithSites, toRoles } from '../records/people/queries.server.ts'
import { listRegions, readRegion } from '../records/regions/contract.ts'
import { REGION_ROWS, toRegionWithSites } from '../records/regions/queries.server.ts'
import { listSisSites } from '../records/sis-sites/contract.ts'
import { listSisSitesOfSite } from '../records/sis-sites/queries.server.ts'
import { listSites, listSiteSummaries, readSite } from '../records/sites/contract.ts'
import { listSitesAs, toSite } from '../records/sites/queries.server.ts'
import { listCoverage, listCoverageOfRegion } from './coverage/contract.ts'
import { COVERAGE, listCoverageOf } from './coverage/queries.server.ts'
import { readCounts } from './home/contract.ts'
import { countAll } from './home/counts.server.ts'

// The reads that a browser answers by itself, from the rows of a copy, with the code that answers them on the server. Nothing here uses the database or Node
// (test/repository/offline-answers.test.ts).

interface Inputs {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}
type Answer = (model: ReadModel, inputs: Inputs) => unknown

const list = ({ ...source }: ListSource, model: ReadModel): unknown =>
  'build' in source ? source.build(model) : source.getIds(model).flatMap((_id) => source.toRow(model, _id) ?? [])
const record = <T extends AddressableTable & ModelTable>(
  call: Call,
  table: T,
  parameter: string,
  toRecord: (model: ReadModel, row: ModelRow<T>) => unknown,
): [Call, Answer] => [
  call,
  (model, { params }) => toRecord(model, model.table(table).need(getModelId(model, table, params?.[parameter] as string))),
]
const rows = (call: Call, source: ListSource): [Call, Answer] => [call, (model) => list(source, model)]

/** What can be answered; everything else needs the server. */
const ANSWERS: ReadonlyMap<string, Answer> = new Map(
  (
    [
      rows(listSites, listSitesAs(toSite)),
      rows(
        listSiteSummaries,
        listSitesAs((model, site) => toSiteSummary(model, site)),
      ),
      record(readSite, 'site', 'slug', toSite),
      [listSisSites, (model, { query }) => listSisSitesOfSite(model, query?.['site'] as string | undefined)],
      [listProgramTypes, toProgramTypes],
      rows(listPeople, listPeopleOf()),
      [listPeopleOfGroup, (model, { params }) => list(listPeopleOf(RoleGroup.parse(params?.['group'])), model)],
      record(readPerson, 'person', 'slug', toPersonWithSites),
      [listRoles, (model) => toRoles(model)],
      [listLeadershipRoles, (model) => toRoles(model, 'LEADERSHIP')],
      [listStudentSupportRoles, (model) => toRoles(model, 'STUDENT_SUPPORT')],
      rows(listCharters, CHARTER_ROWS),
      record(readCharter, 'charter', 'slug', toCharterWithSites),
      record(viewCharter, 'charter', 'id', toCharter),
      [readStudentTotal, getStudentTotal],
      rows(listBrands, BRAND_ROWS),
      record(readBrand, 'brand', 'id', toBrand),
      record(viewBrand, 'brand', 'id', toBrand),
      rows(listRegions, REGION_ROWS),
      record(readRegion, 'region', 'slug', toRegionWithSites),
      rows(listCoverage, COVERAGE),
      [
        listCoverageOfRegion,
        (model, { params }) => {
          const region = model.findId('region', String(params?.['region']))
          if (region === undefined) throw notFound(getRecordName('region'))
          return list(listCoverageOf(region), model)
        },
      ],
      [readCounts, countAll],
    ] satisfies [Call, Answer][]
  ).map(([call, answer]) => [callName(call), answer]),
)

class CopiedRecords {
  readonly #records = new Records()
  readonly revision = 0
  readonly isReady = true

  constructor(tables: ReadonlyMap<string, readonly object[]>) {
    for (const name of MODEL_TABLE_NAMES)
      for (const row of tables.get(name) ?? [])
        if (isModelTable(name)) this.#records.set(name, getText(row, getTable(name).key), row as never)
  }

  async ready(): Promise<void> {}
  table<T extends ModelTable>(table: T) {
    return this.#records.tables[table]
  }
  getKeysInOrder(table: 'site' | 'person'): string[] {
    return this.#records.getKeysInOrder(table)
  }
  findId(table: AddressableTable, idOrSlug: string): string | undefined {
    return this.#records.findId(table, idOrSlug)
  }
}

const answerQuery = (model: ReadModel, engine: SearchEngine, { q = '', kind }: { q?: string; kind?: never }, level: number) => {
  const find: Parameters<typeof answerSearch>[0] = async (typed, only, maxPerKind) => {
    const { groups, marks } = engine.search(typed, { only, maxPerKind })
    return { marks, groups: describeGroups(createHitSource(model), typed, groups) }
  }
  return answerSearch(find, { q, kind }, level)
}

/** Answers calls from the rows of a copy, for its owner's level; undefined for a call that needs the server. */
export const createOfflineReads = (tables: ReadonlyMap<string, readonly object[]>, level: number) => {
  // What renders records only reads; the class is nominal because of its private parts.
  const model = new CopiedRecords(tables) as unknown as ReadModel
  let engine: SearchEngine | undefined
  return async (call: Call, inputs: Inputs): Promise<{ readonly answer: unknown } | undefined> => {
    // The copy has no archived records.
    if (inputs.query?.['archived'] !== undefined) return undefined
    if (call === search) return { answer: await answerQuery(model, (engine ??= buildEngine(model)), inputs.query ?? {}, level) }
    const answer = ANSWERS.get(callName(call))
    return answer && { answer: await answer(model, inputs) }
  }
}
export type OfflineReads = ReturnType<typeof createOfflineReads>
/** The names of the calls that can be answered. */
export const OFFLINE_CALLS: readonly string[] = [...ANSWERS.keys(), callName(search)]
