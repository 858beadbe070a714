import type { QueryOf } from '../../../contract/call.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'
import { SHEETS } from './columns.server.ts'
import type { downloadSheet, SheetKind } from './contract.ts'
import { readNames } from './record-names.server.ts'

type Filter = QueryOf<typeof downloadSheet>
interface FilteredRow {
  readonly _id: string
  readonly region?: string | null
  readonly charter?: string | null
  readonly status?: string | null
}

const matches = (row: FilteredRow, { region, charter, status }: Filter): boolean =>
  (region === undefined || row.region === region) &&
  (charter === undefined || row.charter === charter) &&
  (status === undefined || row.status === status)

/** The rows that a sheet of a kind may have, with what filters ask for; SIS sites are found by their site. */
const listRows = async ({ readModel: model, db }: AppContext, kind: EditableRecordKind): Promise<Iterable<FilteredRow>> => {
  if (kind.listRows) return kind.listRows(db, model)
  switch (kind.kind) {
    case 'site':
      return model.table('site').all()
    case 'sis_site':
      return [...model.table('sis_site').all()].map((row) => ({ ...model.table('site').get(row.site), _id: row._id }))
    case 'person':
      return [...model.table('person').all()].filter(({ leftAt }) => leftAt === null)
    case 'brand':
      return model.table('brand').all()
    case 'charter':
    case 'charter_affair':
    case 'authorizer_board_member':
    case 'center_district':
      return model.table('charter').all()
  }
}

/** The keys of the records that a sheet has, by their names. */
export const listKeys = async (context: AppContext, sheet: SheetKind, filter: Filter): Promise<string[]> => {
  const { readModel: model, db, kinds } = context
  await model.ready()
  const kind = kinds[SHEETS[sheet].kind]
  if (filter.ids !== undefined) {
    const ids = filter.ids.split(',').filter(Boolean)
    return [...new Set(await Promise.all(ids.map((one) => kind.findKey(db, model, one))))]
  }
  const nameOf = await readNames(context, kind)
  return [...(await listRows(context, kind))]
    .filter((row) => matches(row, filter))
    .map(({ _id }) => ({ _id, name: nameOf(_id) ?? '' }))
    .toSorted((a, b) => a.name.localeCompare(b.name) || (a._id < b._id ? -1 : 1))
    .map(({ _id }) => _id)
}
