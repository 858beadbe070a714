import { sql } from 'kysely'

import { id } from '../contract/fields.ts'
import { notFound } from '../contract/problem.ts'
import type { RowKind } from '../contract/records.ts'
import { isId } from '../contract/slugs.ts'
import type { Tx } from '../database/connection.server.ts'
import { updateRecord } from '../database/update-record.server.ts'
import type { ReadModel } from '../platform/server/read-model/read-model.ts'
import { defineCreation, type EditableRecordKind } from '../platform/server/record-editor.ts'
import { createPart } from '../platform/server/record-part.ts'
import { addDistrict, addMember, DistrictInput, MemberInput, updateDistrict, updateMember } from '../records/charter-affairs/contract.ts'
import { districtLabels, memberLabels } from '../records/charter-affairs/fields.ts'
import { insertRow } from '../records/charter-affairs/mutations.server.ts'
import { createSisSite } from '../records/sis-sites/contract.ts'
import { sisLabels } from '../records/sis-sites/fields.ts'
import { insertSisSite } from '../records/sis-sites/mutations.server.ts'
import { sisSiteEdit } from '../records/sis-sites/routes.server.ts'

const sisSite: EditableRecordKind = {
  kind: 'sis_site',
  readCapability: 'browse the directory',
  editCapability: sisSiteEdit.call.capability,
  parts: [createPart(sisSiteEdit, { labels: sisLabels })],
  findKey: async (_db, model, _id) => {
    if (!model.table('sis_site').get(_id)) throw notFound('SIS site')
    return Promise.resolve(_id)
  },
  describe: (model, key) => {
    const row = model.table('sis_site').get(key)
    const site = row && model.table('site').get(row.site)
    return row && { slug: key, name: row.name ?? key, site: row.site, region: site?.region ?? null }
  },
  create: defineCreation(createSisSite, insertSisSite),
  references: {},
}

interface AffairRows {
  readonly kind: 'authorizer_board_member' | 'center_district'
  readonly add: typeof addMember | typeof addDistrict
  readonly update: typeof updateMember | typeof updateDistrict
  readonly input: typeof MemberInput | typeof DistrictInput
  readonly labels: Readonly<Record<string, string>>
  readonly nameColumn: string
}

/** The rows of a charter affair; a row never moves to another charter. */
const defineAffairRows = ({ kind, add, update, input, labels, nameColumn }: AffairRows): EditableRecordKind => {
  const charterOf = (model: ReadModel, affair: unknown) =>
    typeof affair === 'string' ? model.table('charter_affair').get(affair)?.charter : undefined
  return {
    kind,
    readCapability: 'read a charter affair',
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
    findKey: async (_db, _model, _id) => {
      if (!isId(_id)) throw notFound('Row')
      return Promise.resolve(_id)
    },
    // The read model only knows whether an affair exists.
    describe: () => undefined,
    listRows: async (db, model) => {
      const { rows } = await sql<{ _id: string; name: string | null; charter_affair: string }>`
        select _id, ${sql.ref(nameColumn)} as name, charter_affair from ${sql.table(kind)}`.execute(db)
      return rows.map(({ _id, name, charter_affair }) => {
        const charter = charterOf(model, charter_affair) ?? null
        const owner = charter === null ? undefined : model.table('charter').get(charter)?.name
        return { _id, name: [owner, name].filter(Boolean).join(': '), charter }
      })
    },
    create: defineCreation({ capability: add.capability, body: input.extend({ charter: id }) }, (tx, { charter, ...fields }) =>
      insertRow(tx, kind, charter, fields),
    ),
    references: { charter: 'charter' },
  }
}

/** Rows of records that sheets edit: SIS sites of sites, board members and districts of charters. */
export const rowKinds: Readonly<Record<RowKind, EditableRecordKind>> = {
  sis_site: sisSite,
  authorizer_board_member: defineAffairRows({
    kind: 'authorizer_board_member',
    add: addMember,
    update: updateMember,
    input: MemberInput,
    labels: memberLabels,
    nameColumn: 'board_member_name',
  }),
  center_district: defineAffairRows({
    kind: 'center_district',
    add: addDistrict,
    update: updateDistrict,
    input: DistrictInput,
    labels: districtLabels,
    nameColumn: 'center_name',
  }),
}
