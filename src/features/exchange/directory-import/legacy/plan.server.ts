import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { Queryable } from '../../../../database/connection.server.ts'
import { findFreeSlug } from '../../../../platform/contract/slugs.ts'
import { isImporter } from '../school.ts'
import type { Findings, About } from './findings.ts'
import type { Row, Rows, TableName } from './rows.ts'
import { TABLES } from './rows.ts'
import { canonical, inACell, isRecord } from './shapes.ts'
import { lower, NAMED, naturalKey, Uniques, WITH_SLUG } from './uniques.ts'

export type Values = Readonly<Record<string, unknown>>
export interface Insert {
  readonly id: string
  readonly values: Values
  readonly kept: Row['kept']
}
export interface Update {
  readonly id: string
  /** The id it is stored under until now, where the old program's takes its place. */
  readonly before: string
  readonly values: Values
  readonly about: About
  readonly fields: readonly string[]
  readonly formerSlug?: string | undefined
  readonly kept: Row['kept']
}
export interface TablePlan {
  readonly table: TableName
  readonly inserts: Insert[]
  /** Parts of new sites: a trigger makes them with their site. */
  readonly begun: Insert[]
  readonly updates: Update[]
  /** Every id the folder's rows have here. */
  readonly seen: string[]
  left: number
}
export type Plan = readonly TablePlan[]

/** Whose first rows every database begins with. */
const FIRST_ROWS = 'Homeroom'
/** How the change history calls an import of the old program (D28). */
export const LEGACY_IMPORT = 'Import of the old program'

const POINTS: Partial<Record<TableName, Readonly<Record<string, TableName>>>> = {
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
const MAY_BE_MISSING = new Set(['site charter', 'site region', 'permission person'])
/** Rows of the first start that the old program's take the place of: by name. */
const ADOPTED = new Set<TableName>(['region', 'role', 'program_type'])
const KEY: Partial<Record<TableName, string>> = { facility: 'site', enrollment: 'site' }
export const keyOf = (table: TableName): string => KEY[table] ?? '_id'

type Stored = Record<string, unknown>
/** A UUID that is the same for the same words: what had no `_id` is found again by it. */
const madeId = (words: string): string => {
  const hex = createHash('sha256').update(words).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Compares what the folder has with what is stored: what is to be added, and changed. Writes nothing. */
export class Planner {
  readonly #db: Queryable
  readonly #findings: Findings
  /** Ids that other rows may point at, by table: where they lead, which is elsewhere for a row that stands in for another. */
  readonly #leads = new Map<string, string>()
  readonly plan: TablePlan[] = []
  /** Who has left, and so holds no place. */
  readonly #gone = new Set<string>()

  constructor(db: Queryable, findings: Findings) {
    this.#db = db
    this.#findings = findings
  }

  async make(rows: Rows['rows']): Promise<Plan> {
    for (const table of TABLES) await this.#table(table, rows[table])
    return this.plan
  }

  async #stored(table: TableName): Promise<Map<string, Stored>> {
    const { rows } = await sql<{ row: Stored }>`select to_jsonb(t) as row from ${sql.table(table)} as t`.execute(this.#db)
    return new Map(rows.map(({ row }) => [inACell(row[keyOf(table)]), row]))
  }

  async #table(table: TableName, rows: readonly Row[]): Promise<void> {
    const stored = await this.#stored(table)
    const plan: TablePlan = { table, inserts: [], begun: [], updates: [], seen: [], left: 0 }
    this.plan.push(plan)
    for (const id of stored.keys()) this.#leads.set(`${table} ${id}`, id)
    const uniques = await this.#uniques(table, stored)
    const changes: { row: Row; id: string; before: string; own: Stored; values: Record<string, unknown> }[] = []
    const done = new Set<string>()
    const inFolder = new Set(rows.map(({ id }) => id))

    for (const row of rows) {
      const values: Record<string, unknown> = { ...row.values }
      if (!this.#pointed(table, row, values)) continue
      const wanted =
        KEY[table] === undefined
          ? (row.id ?? madeId(`${table} ${canonical(naturalKey(table, values))}`))
          : inACell(this.#leads.get(`site ${inACell(row.id)}`) ?? row.id)
      const alike = stored.has(wanted) ? undefined : uniques.alike(values)
      // A facility is there with its site, or will be, by a trigger.
      const before = stored.has(wanted) || (KEY[table] !== undefined && !stored.has(wanted)) ? wanted : (alike ?? wanted)
      if (done.has(before) || (before !== wanted && inFolder.has(before))) {
        if (row.id !== null) this.#leads.set(`${table} ${row.id}`, before)
        this.#findings.add(row.about, '', 'not placed', { value: row.values, why: 'is listed twice' })
        continue
      }
      const own = stored.get(before)
      done.add(before)
      const isAdopted = own !== undefined && before !== wanted && ADOPTED.has(table) && row.id !== null
      const id = own === undefined || isAdopted ? wanted : before
      if (row.id !== null) this.#leads.set(`${table} ${row.id}`, id)
      this.#leads.set(`${table} ${id}`, id)
      plan.seen.push(id)
      this.#fill(table, row, values, own)
      uniques.settle(row, id, values, own, this.#findings)
      if (table === 'person' && (values['leftAt'] ?? own?.['leftAt'] ?? null) !== null) this.#gone.add(id)
      if (own !== undefined) changes.push({ row, id, before, own, values })
      else if (KEY[table] === undefined) plan.inserts.push({ id, values, kept: row.kept })
      else plan.begun.push({ id, values, kept: row.kept })
    }
    await this.#compare(plan, changes)
  }

  /** Every reference leads to a record that is stored or will be. False where the row cannot be without one. */
  #pointed(table: TableName, row: Row, values: Record<string, unknown>): boolean {
    for (const [column, other] of Object.entries(POINTS[table] ?? {})) {
      if (!(column in values) && (KEY[table] !== undefined || column === 'person')) continue
      const wanted = values[column]
      const led = typeof wanted === 'string' ? this.#leads.get(`${other} ${wanted}`) : undefined
      if (led !== undefined) values[column] = led
      else if (MAY_BE_MISSING.has(`${table} ${column}`)) {
        if (typeof wanted === 'string') this.#findings.add(row.about, column, 'missing', { value: wanted, why: 'is in no file' })
        values[column] = null
      } else if (`${table} ${column}` === 'charter brand') {
        this.#findings.add(row.about, column, 'missing', {
          value: wanted,
          stored: NO_BRAND,
          why: typeof wanted === 'string' ? 'is in no file' : 'no file says its brand',
        })
        values[column] = this.#noBrand()
      } else {
        this.#findings.add(row.about, '', 'not placed', { value: row.values, why: `its ${column} is in no file` })
        return false
      }
    }
    if (table === 'site_person' && this.#gone.has(inACell(values['person']))) {
      this.#findings.add(row.about, '', 'not placed', { value: row.values, why: 'they have left' })
      return false
    }
    return KEY[table] === undefined || this.#leads.has(`site ${inACell(row.id)}`)
  }

  /** The brand of charters that have none: one that is called so, made where there is none yet. */
  #noBrand(): string {
    const known = this.#leads.get(`brand ${NO_BRAND}`)
    if (known !== undefined) return known
    const id = madeId(NO_BRAND)
    if (!this.#leads.has(`brand ${id}`))
      this.plan
        .find(({ table }) => table === 'brand')
        ?.inserts.push({ id, values: { slug: findFreeSlug(NO_BRAND, new Set()), brandName: NO_BRAND }, kept: {} })
    this.#leads.set(`brand ${NO_BRAND}`, id)
    this.#leads.set(`brand ${id}`, id)
    return id
  }

  /** What must not be empty is filled. */
  #fill(table: TableName, row: Row, values: Record<string, unknown>, own: Stored | undefined): void {
    const column = NAMED[table]
    if (column !== undefined && (own === undefined || column in values) && lower(values[column]) === '') {
      const name = [values['name'], values['slug'], own?.[column]].find((one) => lower(one) !== '') ?? row.id ?? 'Unnamed'
      this.#findings.add(row.about, column, 'refused', { value: row.values[column], stored: name, why: 'is empty' })
      values[column] = name
    }
    if (table === 'role' && own === undefined) {
      const group = inACell(values['group'] ?? '')
        .toUpperCase()
        .replaceAll(/[^A-Z]+/g, '_')
      values['group'] = group.startsWith('LEADER') ? 'LEADERSHIP' : 'STUDENT_SUPPORT'
      if (!/^(LEADERSHIP|STUDENT_SUPPORT)$/.test(group))
        this.#findings.add(row.about, 'group', 'refused', {
          value: row.values['group'],
          stored: values['group'],
          why: 'no file says its group',
        })
    } else if (table === 'role' && !/^(LEADERSHIP|STUDENT_SUPPORT)$/.test(inACell(values['group']))) delete values['group']
    for (const status of own === undefined && ['brand', 'charter', 'site'].includes(table) && !('status' in values) ? ['ACTIVE'] : [])
      values['status'] = status
    if (table === 'permission') {
      if (own !== undefined && values['person'] === null) delete values['person']
    }
  }

  async #uniques(table: TableName, stored: Map<string, Stored>): Promise<Uniques> {
    const former = WITH_SLUG.has(table)
      ? (await sql<{ slug: string; record: string }>`select slug, record from former_slug where "table" = ${table}`.execute(this.#db)).rows
      : []
    return new Uniques(table, stored, former)
  }

  /** Which columns differ, and which of them somebody edited here since. */
  async #compare(
    plan: TablePlan,
    changes: readonly { row: Row; id: string; before: string; own: Stored; values: Record<string, unknown> }[],
  ): Promise<void> {
    const differences = changes.flatMap((change, n) =>
      differencesOf(change.own, change.values).map((difference) => ({ n, record: change.before, ...difference })),
    )
    const edited = await editedSince(this.#db, plan.table, differences)
    const byChange = new Map<number, typeof differences>()
    for (const difference of differences) {
      const { row } = changes[difference.n] as (typeof changes)[number]
      if (edited.has(difference))
        this.#findings.add(row.about, difference.path.join('.'), 'kept', {
          value: difference.to,
          stored: difference.from,
          why: 'someone edited it here',
        })
      else byChange.set(difference.n, [...(byChange.get(difference.n) ?? []), difference])
    }
    for (const [n, { row, id, before, own }] of changes.entries()) {
      const own_ = byChange.get(n) ?? []
      if (own_.length === 0 && id === before) plan.left++
      else
        plan.updates.push({
          id,
          before,
          about: row.about,
          values: merged(own, own_),
          kept: row.kept,
          formerSlug: own_.find(({ path }) => path[0] === 'slug')?.from as string | undefined,
          fields: [...(id === before ? [] : ['_id']), ...own_.map(({ path }) => path.join('.'))],
        })
    }
  }
}

const NO_BRAND = 'Independent'

interface Difference {
  readonly path: readonly string[]
  readonly from: unknown
  readonly to: unknown
}

/** Of a section of a charter affair each text by itself, of everything else the whole column. */
const differencesOf = (own: Stored, values: Stored): Difference[] =>
  Object.entries(values).flatMap(([column, to]): Difference[] => {
    const from = typeof own[column] === 'string' && column === 'leftAt' ? new Date(own[column]).toISOString() : (own[column] ?? null)
    if (isRecord(to) && column !== 'recurring_dates') {
      const inner = isRecord(from) ? from : {}
      return Object.entries(to).flatMap(([field, one]) =>
        canonical(inner[field]) === canonical(one) ? [] : [{ path: [column, field], from: inner[field] ?? null, to: one }],
      )
    }
    return canonical(from) === canonical(to) ? [] : [{ path: [column], from, to }]
  })

const merged = (own: Stored, differences: readonly Difference[]): Values => {
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

/** Of these differences, those in a value that somebody other than an import wrote last, as the change history has it. */
const editedSince = async <D extends { readonly record: string; readonly path: readonly string[] }>(
  db: Queryable,
  table: TableName,
  differences: readonly D[],
): Promise<Set<D>> => {
  if (differences.length === 0) return new Set()
  const asked = differences.map(({ record, path }, n) => ({ n, record, path }))
  const { rows } = await sql<{ n: number; actor: string | null; actorName: string | null }>`
    select asked.n, last.actor, last."actorName"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked(n integer, record text, path text[])
    cross join lateral (
      select actor, "actorName" from change
      where change.record = asked.record and change."table" = ${table}
        and (change.before is null or change.before #> asked.path is distinct from change.after #> asked.path)
      order by change._id desc limit 1
    ) as last`.execute(db)
  const isOurs = (actor: string | null, name: string | null): boolean =>
    isImporter(actor, name) || (actor === null && (name === FIRST_ROWS || name === null))
  return new Set(rows.filter(({ actor, actorName }) => !isOurs(actor, actorName)).flatMap(({ n }) => differences[n] ?? []))
}
