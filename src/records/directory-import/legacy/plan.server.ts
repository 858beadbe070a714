import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { isObject } from '../../../contract/objects.ts'
import { findFreeSlug } from '../../../contract/slugs.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { isImportActor } from '../../../platform/server/import-actor.ts'
import type { Findings, RecordRef } from './findings.ts'
import { toCanonicalJson, formatCell } from './raw-values.ts'
import type { ImportRow, ImportRows, TableName } from './rows.ts'
import { LEGACY_TABLES } from './rows.ts'
import { toLower, NAME_COLUMNS, getNaturalKey, UniqueValues, TABLES_WITH_SLUG } from './unique-values.ts'

export type LegacyValues = Readonly<Record<string, unknown>>
export interface Insert {
  readonly id: string
  readonly values: LegacyValues
  readonly metadata: ImportRow['metadata']
}
export interface Update {
  readonly id: string
  /** The stored id, which the id of the old program replaces. */
  readonly storedId: string
  readonly values: LegacyValues
  readonly about: RecordRef
  readonly fields: readonly string[]
  readonly formerSlug?: string | undefined
  readonly metadata: ImportRow['metadata']
}
export interface TablePlan {
  readonly table: TableName
  readonly inserts: Insert[]
  /** Parts of new sites: a trigger creates them with their site. */
  readonly siteParts: Insert[]
  readonly updates: Update[]
  /** The ids under which the folder's rows are stored here. */
  readonly presentIds: string[]
  unchanged: number
}
export type ImportPlan = readonly TablePlan[]

/** The author of the seed rows. */
const SEED_ACTOR = 'Homeroom'
/** The actor that the change history shows for an import of the old program. */
export const LEGACY_IMPORT = 'Import of the old program'

const REFERENCES: Partial<Record<TableName, Readonly<Record<string, TableName>>>> = {
  charter: { brand: 'brand' },
  site: { charter: 'charter', region: 'region' },
  facility: { site: 'site' },
  enrollment: { site: 'site' },
  site_program_type: { site: 'site', program_type: 'program_type' },
  site_person: { site: 'site', person: 'person', role: 'role' },
  sis_site: { site: 'site' },
  charter_affair: { charter: 'charter' },
  authorizer_board_member: { charter_affair: 'charter_affair' },
  center_district: { charter_affair: 'charter_affair' },
  permission: { person: 'person' },
}
const OPTIONAL_REFERENCES = new Set(['site charter', 'site region', 'permission person'])
/** Tables whose seed rows are replaced by the old program's rows with the same name. */
const ADOPTABLE_TABLES = new Set<TableName>(['region', 'role', 'program_type'])
const SITE_KEYED: Partial<Record<TableName, string>> = { facility: 'site', enrollment: 'site' }
export const getKeyColumn = (table: TableName): string => SITE_KEYED[table] ?? '_id'

type Stored = Record<string, unknown>
/** A UUID derived from the text, by which rows without an `_id` are found again. */
const generateId = (words: string): string => {
  const hex = createHash('sha256').update(words).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Compares the folder with the stored rows: what to add and what to change. Writes nothing. */
export class ImportPlanner {
  readonly #db: Queryable
  readonly #findings: Findings
  /** Resolves ids that other rows may refer to, by table; a row that is merged into another one has the id of that one. */
  readonly #leads = new Map<string, string>()
  readonly plan: TablePlan[] = []
  /** People who have left, and therefore have no position at a site. */
  readonly #gone = new Set<string>()
  /** Archived records, which stay as they are, by table and id. */
  readonly #archived = new Set<string>()

  constructor(db: Queryable, findings: Findings) {
    this.#db = db
    this.#findings = findings
  }

  async createPlan(rows: ImportRows['rows']): Promise<ImportPlan> {
    for (const table of LEGACY_TABLES) await this.#table(table, rows[table])
    return this.plan
  }

  async #stored(table: TableName): Promise<Map<string, Stored>> {
    const { rows } = await sql<{ row: Stored }>`select to_jsonb(t) as row from ${sql.table(table)} as t`.execute(this.#db)
    return new Map(rows.map(({ row }) => [formatCell(row[getKeyColumn(table)]), row]))
  }

  async #table(table: TableName, rows: readonly ImportRow[]): Promise<void> {
    const stored = await this.#stored(table)
    const plan: TablePlan = { table, inserts: [], siteParts: [], updates: [], presentIds: [], unchanged: 0 }
    this.plan.push(plan)
    for (const [id, { archivedAt }] of stored) {
      this.#leads.set(`${table} ${id}`, id)
      if (typeof archivedAt === 'string') this.#archived.add(`${table} ${id}`)
    }
    const uniques = await this.#uniques(table, stored)
    const changes: { row: ImportRow; id: string; storedId: string; own: Stored; values: Record<string, unknown> }[] = []
    const done = new Set<string>()
    const inFolder = new Set(rows.map(({ id }) => id))

    for (const row of rows) {
      const values: Record<string, unknown> = { ...row.values }
      if (!this.#pointed(table, row, values)) continue
      const wanted =
        SITE_KEYED[table] === undefined
          ? (row.id ?? generateId(`${table} ${toCanonicalJson(getNaturalKey(table, values))}`))
          : formatCell(this.#leads.get(`site ${formatCell(row.id)}`) ?? row.id)
      const duplicate = stored.has(wanted) ? undefined : uniques.findDuplicate(values)
      // A facility is created with its site by a trigger.
      const storedId = stored.has(wanted) || (SITE_KEYED[table] !== undefined && !stored.has(wanted)) ? wanted : (duplicate ?? wanted)
      if (done.has(storedId) || (storedId !== wanted && inFolder.has(storedId))) {
        if (row.id !== null) this.#leads.set(`${table} ${row.id}`, storedId)
        this.#findings.add(row.ref, '', 'not placed', { value: row.values, reason: 'is listed twice' })
        continue
      }
      const own = stored.get(storedId)
      done.add(storedId)
      const isAdopted = own !== undefined && storedId !== wanted && ADOPTABLE_TABLES.has(table) && row.id !== null
      const id = own === undefined || isAdopted ? wanted : storedId
      if (row.id !== null) this.#leads.set(`${table} ${row.id}`, id)
      this.#leads.set(`${table} ${id}`, id)
      plan.presentIds.push(id)
      if (this.#archived.has(`${SITE_KEYED[table] ?? table} ${storedId}`)) {
        this.#findings.add(row.ref, '', 'not placed', { value: row.values, reason: 'is archived here, so it stays as it is' })
        continue
      }
      this.#fill(table, row, values, own)
      uniques.resolveConflicts(row, id, values, own, this.#findings)
      if (table === 'person' && (values['leftAt'] ?? own?.['leftAt'] ?? null) !== null) this.#gone.add(id)
      if (own !== undefined) changes.push({ row, id, storedId, own, values })
      else if (SITE_KEYED[table] === undefined) plan.inserts.push({ id, values, metadata: row.metadata })
      else plan.siteParts.push({ id, values, metadata: row.metadata })
    }
    await this.#compare(plan, changes)
  }

  /** Checks that every reference points to a stored or planned record. False if a required one is missing. */
  #pointed(table: TableName, row: ImportRow, values: Record<string, unknown>): boolean {
    for (const [column, other] of Object.entries(REFERENCES[table] ?? {})) {
      if (!(column in values) && (SITE_KEYED[table] !== undefined || column === 'person')) continue
      const wanted = values[column]
      const led = typeof wanted === 'string' ? this.#leads.get(`${other} ${wanted}`) : undefined
      if (led !== undefined && this.#archived.has(`${other} ${led}`)) {
        const isOptional = OPTIONAL_REFERENCES.has(`${table} ${column}`)
        const reason = `its ${column} is archived here`
        this.#findings.add(row.ref, isOptional ? column : '', 'not placed', { value: isOptional ? wanted : row.values, reason })
        if (!isOptional) return false
        delete values[column]
      } else if (led !== undefined) values[column] = led
      else if (OPTIONAL_REFERENCES.has(`${table} ${column}`)) {
        if (typeof wanted === 'string') this.#findings.add(row.ref, column, 'missing', { value: wanted, reason: 'is in no file' })
        values[column] = null
      } else if (`${table} ${column}` === 'charter brand') {
        this.#findings.add(row.ref, column, 'missing', {
          value: wanted,
          stored: DEFAULT_BRAND,
          reason: typeof wanted === 'string' ? 'is in no file' : 'no file says its brand',
        })
        values[column] = this.#noBrand()
      } else {
        this.#findings.add(row.ref, '', 'not placed', { value: row.values, reason: `its ${column} is in no file` })
        return false
      }
    }
    if (table === 'site_person' && this.#gone.has(formatCell(values['person']))) {
      this.#findings.add(row.ref, '', 'not placed', { value: row.values, reason: 'they have left' })
      return false
    }
    return SITE_KEYED[table] === undefined || this.#leads.has(`site ${formatCell(row.id)}`)
  }

  /** The brand of charters that have none: a brand with that name, created if necessary. */
  #noBrand(): string {
    const known = this.#leads.get(`brand ${DEFAULT_BRAND}`)
    if (known !== undefined) return known
    const id = generateId(DEFAULT_BRAND)
    if (!this.#leads.has(`brand ${id}`))
      this.plan
        .find(({ table }) => table === 'brand')
        ?.inserts.push({ id, values: { slug: findFreeSlug(DEFAULT_BRAND, new Set()), brandName: DEFAULT_BRAND }, metadata: {} })
    this.#leads.set(`brand ${DEFAULT_BRAND}`, id)
    this.#leads.set(`brand ${id}`, id)
    return id
  }

  /** Fills columns that must not be empty. */
  #fill(table: TableName, row: ImportRow, values: Record<string, unknown>, own: Stored | undefined): void {
    const column = NAME_COLUMNS[table]
    if (column !== undefined && (own === undefined || column in values) && toLower(values[column]) === '') {
      const name = [values['name'], values['slug'], own?.[column]].find((one) => toLower(one) !== '') ?? row.id ?? 'Unnamed'
      this.#findings.add(row.ref, column, 'refused', { value: row.values[column], stored: name, reason: 'is empty' })
      values[column] = name
    }
    if (table === 'role' && own === undefined) {
      const group = formatCell(values['group'] ?? '')
        .toUpperCase()
        .replaceAll(/[^A-Z]+/g, '_')
      values['group'] = group.startsWith('LEADER') ? 'LEADERSHIP' : 'STUDENT_SUPPORT'
      if (!/^(LEADERSHIP|STUDENT_SUPPORT)$/.test(group))
        this.#findings.add(row.ref, 'group', 'refused', {
          value: row.values['group'],
          stored: values['group'],
          reason: 'no file says its group',
        })
    } else if (table === 'role' && !/^(LEADERSHIP|STUDENT_SUPPORT)$/.test(formatCell(values['group']))) delete values['group']
    for (const status of own === undefined && ['brand', 'charter', 'site'].includes(table) && !('status' in values) ? ['ACTIVE'] : [])
      values['status'] = status
    if (table === 'permission') {
      if (own !== undefined && values['person'] === null) delete values['person']
    }
  }

  async #uniques(table: TableName, stored: Map<string, Stored>): Promise<UniqueValues> {
    const former = TABLES_WITH_SLUG.has(table)
      ? (await sql<{ slug: string; record: string }>`select slug, record from former_slug where "table" = ${table}`.execute(this.#db)).rows
      : []
    return new UniqueValues(table, stored, former)
  }

  /** Which columns differ, and which of them someone has edited here since. */
  async #compare(
    plan: TablePlan,
    changes: readonly { row: ImportRow; id: string; storedId: string; own: Stored; values: Record<string, unknown> }[],
  ): Promise<void> {
    const differences = changes.flatMap((change, n) =>
      findDifferences(change.own, change.values).map((difference) => ({ n, record: change.storedId, ...difference })),
    )
    const edited = await findEditedSince(this.#db, plan.table, differences)
    const byChange = new Map<number, typeof differences>()
    for (const difference of differences) {
      const { row } = changes[difference.n] as (typeof changes)[number]
      if (edited.has(difference))
        this.#findings.add(row.ref, difference.path.join('.'), 'kept', {
          value: difference.to,
          stored: difference.from,
          reason: 'someone edited it here',
        })
      else byChange.set(difference.n, [...(byChange.get(difference.n) ?? []), difference])
    }
    for (const [n, { row, id, storedId, own }] of changes.entries()) {
      const own_ = byChange.get(n) ?? []
      if (own_.length === 0 && id === storedId) plan.unchanged++
      else
        plan.updates.push({
          id,
          storedId,
          about: row.ref,
          values: mergeDifferences(own, own_),
          metadata: row.metadata,
          formerSlug: own_.find(({ path }) => path[0] === 'slug')?.from as string | undefined,
          fields: [...(id === storedId ? [] : ['_id']), ...own_.map(({ path }) => path.join('.'))],
        })
    }
  }
}

const DEFAULT_BRAND = 'Independent'

interface Difference {
  readonly path: readonly string[]
  readonly from: unknown
  readonly to: unknown
}

/** Compares each text of a charter affair's section separately, and all other columns as a whole. */
const findDifferences = (own: Stored, values: Stored): Difference[] =>
  Object.entries(values).flatMap(([column, to]): Difference[] => {
    const from = typeof own[column] === 'string' && column === 'leftAt' ? new Date(own[column]).toISOString() : (own[column] ?? null)
    if (isObject(to) && column !== 'recurring_dates') {
      const inner = isObject(from) ? from : {}
      return Object.entries(to).flatMap(([field, one]) =>
        toCanonicalJson(inner[field]) === toCanonicalJson(one) ? [] : [{ path: [column, field], from: inner[field] ?? null, to: one }],
      )
    }
    return toCanonicalJson(from) === toCanonicalJson(to) ? [] : [{ path: [column], from, to }]
  })

const mergeDifferences = (own: Stored, differences: readonly Difference[]): LegacyValues => {
  const values: Record<string, unknown> = {}
  for (const {
    path: [column = '', field],
    to,
  } of differences) {
    if (field === undefined) values[column] = to
    else values[column] = { ...((values[column] ?? own[column] ?? {}) as Stored), [field]: to }
  }
  return values
}

/** The differences in values that someone other than an import changed last, according to the history. */
const findEditedSince = async <D extends { readonly record: string; readonly path: readonly string[] }>(
  db: Queryable,
  table: TableName,
  differences: readonly D[],
): Promise<Set<D>> => {
  if (differences.length === 0) return new Set()
  const numbered = differences.map(({ record, path }, n) => ({ n, record, path }))
  const { rows } = await sql<{ n: number; actor: string | null; actorName: string | null }>`
    select asked.n, last.actor, last."actorName"
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as asked(n integer, record text, path text[])
    cross join lateral (
      select actor, "actorName" from change
      where change.record = asked.record and change."table" = ${table}
        and (change.before is null or change.before #> asked.path is distinct from change.after #> asked.path)
      order by change._id desc limit 1
    ) as last`.execute(db)
  const isOurs = (actor: string | null, name: string | null): boolean =>
    isImportActor(actor, name) || (actor === null && (name === SEED_ACTOR || name === null))
  return new Set(rows.filter(({ actor, actorName }) => !isOurs(actor, actorName)).flatMap(({ n }) => differences[n] ?? []))
}
