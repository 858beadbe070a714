import { sql } from 'kysely'

import { isObject, type JsonObject } from '../../contract/objects.ts'
import { invalidFields, parseInput, Problem } from '../../contract/problem.ts'
import { NEW_ROW } from '../../contract/records.ts'
import type { Queryable } from '../../database/connection.server.ts'
import type { RecordPart } from '../../platform/server/record-editor.ts'
import { catchProblem, lockRows } from '../../platform/server/record-part.ts'
import { DistrictInput, MemberInput, updateDistrict, updateMember } from './contract.ts'
import { districtLabels, memberLabels } from './fields.ts'
import { insertRow, saveRow } from './mutations.server.ts'

interface AffairList {
  readonly table: 'authorizer_board_member' | 'center_district'
  readonly update: typeof updateMember | typeof updateDistrict
  readonly input: typeof MemberInput | typeof DistrictInput
  readonly labels: Readonly<Record<string, string>>
  readonly nameColumn: string
  readonly one: string
}

/** A list of a charter affair as an editable part: `{[row]: fields}`, and a new row under `NEW_ROW`. */
const defineList = ({ table, update, input, labels, nameColumn, one }: AffairList): RecordPart => ({
  prefix: table,
  table,
  capability: update.capability,
  readInputs: async (db, _model, charters) => {
    const { rows } = await sql<{ charter: string; row: JsonObject & { _id: string } }>`
      select charter, to_jsonb(p) as row from ${sql.table(table)} as p join charter_affair as a on a._id = p.charter_affair
      where charter = any(${[...charters]}::text[])`.execute(db)
    const byCharter = Map.groupBy(rows, ({ charter }) => charter)
    const toFields = (row: JsonObject) => Object.fromEntries(Object.keys(labels).map((name) => [name, row[name] ?? null]))
    return new Map(
      charters.map((charter) => [charter, Object.fromEntries((byCharter.get(charter) ?? []).map(({ row }) => [row._id, toFields(row)]))]),
    )
  },
  lock: (tx, charters) => lockRows(tx, 'charter_affair', 'charter', charters),
  save: async (tx, _model, charter, changes) => {
    const saved: Record<string, object> = {}
    for (const [row, fields] of Object.entries(changes)) {
      const checked = parseInput(input, fields, row)
      try {
        if (row === NEW_ROW) await insertRow(tx, table, charter, checked)
        else await saveRow(tx, table, charter, { _id: row, ...checked }, undefined)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        throw invalidFields([{ path: row, message: error.message }])
      }
      saved[row] = checked
    }
    return saved
  },
  validate: (_db, _model, changes) => {
    const check = (rows: object) => Object.fromEntries(Object.entries(rows).map(([row, fields]) => [row, parseInput(input, fields, row)]))
    return Promise.resolve(new Map([...changes].map(([charter, rows]) => [charter, catchProblem(() => check(rows))])))
  },
  rows: {
    labels,
    readNames: async (db: Queryable, rows) => {
      const { rows: found } = await sql<{ _id: string; name: string | null }>`
        select _id, ${sql.ref(nameColumn)} as name from ${sql.table(table)} where _id = any(${[...rows]}::text[])`.execute(db)
      return new Map(found.map(({ _id, name }) => [_id, name ?? `${one} without a name`]))
    },
    describe: (value) =>
      isObject(value)
        ? Object.entries(labels)
            .flatMap(([name, label]) => (typeof value[name] === 'string' ? [`${label}: ${value[name]}`] : []))
            .join('; ') || null
        : null,
  },
  getLabel: (path) => {
    const [row, field] = path.split('.')
    return row === NEW_ROW && field === undefined ? `New ${one.toLowerCase()}` : `${one}: ${labels[field ?? ''] ?? path}`
  },
  isGroup: (path) => !path.includes('.') && path !== NEW_ROW,
})

/** The lists of a charter affair. */
export const affairLists: readonly RecordPart[] = [
  defineList({
    table: 'authorizer_board_member',
    update: updateMember,
    input: MemberInput,
    labels: memberLabels,
    nameColumn: 'board_member_name',
    one: 'Board member',
  }),
  defineList({
    table: 'center_district',
    update: updateDistrict,
    input: DistrictInput,
    labels: districtLabels,
    nameColumn: 'center_name',
    one: 'District',
  }),
]
