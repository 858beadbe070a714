import { sql } from 'kysely'

import { id } from '../../contract/fields.ts'
import { readGrades } from '../../contract/grades.ts'
import { notFound } from '../../contract/problem.ts'
import { ROW_NAMES, type RowKind } from '../../contract/records.ts'
import { isId } from '../../contract/slugs.ts'
import { cleanMultiline } from '../../contract/text-cleaning.ts'
import type { Tx } from '../../database/connection.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { RecordKindServer } from '../../platform/server/handler.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { defineCreation, type EditableRecordKind } from '../../platform/server/record-editor.ts'
import { createPart } from '../../platform/server/record-part.ts'
import { type EditableColumn, toTextColumns } from '../../platform/server/sheet-definition.ts'
import { describeCharter, listCharterRows } from '../charters/queries.server.ts'
import { addDistrict, addMember, DistrictInput, MemberInput, updateDistrict, updateMember } from './contract.ts'
import { affairLabels, districtLabels, GRADE_FIELDS, memberLabels, sectionTitles } from './fields.ts'
import { ensureAffair, insertRow } from './mutations.server.ts'
import { affairLists } from './part.server.ts'
import { affairEdit, charterAffairRoutes } from './routes.server.ts'

const columns = Object.entries(affairLabels).flatMap(([section, labels]) =>
  Object.entries(labels).map(([field, label]): EditableColumn => ({
    path: `${section}.${field}`,
    label: `${sectionTitles[section as keyof typeof affairLabels]}: ${label}`,
    type: 'text',
    read: GRADE_FIELDS.has(field) ? readGrades : cleanMultiline,
  })),
)

/** An affair is identified by its charter, which always exists before it. */
export const charterAffairKind: RecordKindServer = {
  kind: 'charter_affair',
  routes: charterAffairRoutes,
  editCapability: affairEdit.call.capability,
  parts: [
    createPart(affairEdit, {
      labels: Object.fromEntries(columns.map(({ path, label }) => [path, label])),
      keyColumn: 'charter',
      ensure: ensureAffair,
    }),
    ...affairLists,
  ],
  findKey: (model, idOrSlug) => {
    const key = model.table('charter_affair').get(idOrSlug)?.charter ?? model.findId('charter', idOrSlug)
    if (key === undefined) throw notFound('Charter affair')
    return key
  },
  describe: describeCharter,
  listRows: async (_db, model) => Promise.resolve(listCharterRows(model)),
  sheets: { charter_affairs: { versions: { table: 'charter_affair', keyColumn: 'charter' }, columns: () => columns } },
  references: {},
}

interface AffairRows {
  readonly kind: Exclude<RowKind, 'sis_site'>
  readonly sheet: 'board_members' | 'districts'
  readonly add: typeof addMember | typeof addDistrict
  readonly update: typeof updateMember | typeof updateDistrict
  readonly input: typeof MemberInput | typeof DistrictInput
  readonly labels: Readonly<Record<string, string>>
}

const charterColumn: EditableColumn = { path: 'charter', label: 'Charter', type: 'charter', isForNewRows: true }

/** The rows of a charter affair, which only sheets edit as records of their own; a row never moves to another charter. */
const defineAffairRows = ({ kind, sheet, add, update, input, labels }: AffairRows): EditableRecordKind => {
  const charterOf = (model: ReadModel, affair: unknown) =>
    typeof affair === 'string' ? model.table('charter_affair').get(affair)?.charter : undefined
  const rowColumns = [charterColumn, ...toTextColumns(labels)]
  return {
    kind,
    editCapability: update.capability,
    parts: [
      createPart(
        {
          call: { ...update, body: input, allowUnchangedInvalid: true },
          table: kind,
          toInput: (row: Readonly<Record<string, unknown>>, model) => ({
            ...Object.fromEntries(Object.keys(labels).map((name) => [name, row[name] ?? null])),
            charter: charterOf(model, row['charter_affair']) ?? null,
          }),
          save: (tx: Tx, _id: string, changes: object) => updateRecord(tx, kind, _id, changes),
        },
        { labels },
      ),
    ],
    findKey: (_model, _id) => {
      if (!isId(_id)) throw notFound('Row')
      return _id
    },
    // The read model only knows whether an affair exists.
    describe: () => undefined,
    listRows: async (db, model) => {
      const { rows } = await sql<{ _id: string; name: string | null; charter_affair: string }>`
        select _id, ${sql.ref(ROW_NAMES[kind])} as name, charter_affair from ${sql.table(kind)}`.execute(db)
      return rows.map(({ _id, name, charter_affair }) => {
        const charter = charterOf(model, charter_affair) ?? null
        const owner = charter === null ? undefined : model.table('charter').get(charter)?.name
        return { _id, name: [owner, name].filter(Boolean).join(': '), owner: charter ?? _id, charter }
      })
    },
    create: defineCreation({ capability: add.capability, body: input.extend({ charter: id }) }, (tx, { charter, ...fields }) =>
      insertRow(tx, kind, charter, fields),
    ),
    sheets: { [sheet]: { versions: { table: kind }, isForNewRows: true, columns: () => rowColumns } },
    references: { charter: 'charter' },
  }
}

export const boardMemberKind = defineAffairRows({
  kind: 'authorizer_board_member',
  sheet: 'board_members',
  add: addMember,
  update: updateMember,
  input: MemberInput,
  labels: memberLabels,
})

export const districtKind = defineAffairRows({
  kind: 'center_district',
  sheet: 'districts',
  add: addDistrict,
  update: updateDistrict,
  input: DistrictInput,
  labels: districtLabels,
})
