import { notFound } from '../../../contract/problem.ts'
import { getRecordName } from '../../../contract/records.ts'
import type { AddressableTable } from '../../../database/record-lookup.server.ts'
import type { ReadModel } from './read-model.ts'
import type { ModelRow } from './tables.ts'

/** The `_id` for a path parameter: an `_id`, a slug (case-insensitive) or a former slug; throws 404. Needs a model that is ready. */
export const getModelId = (model: ReadModel, table: AddressableTable, idOrSlug: string): string => {
  const _id = model.findId(table, idOrSlug)
  if (_id === undefined) throw notFound(getRecordName(table))
  return _id
}

/** The same for a model that may not be loaded yet. */
export const findModelId = async (model: ReadModel, table: AddressableTable, idOrSlug: string): Promise<string> => {
  await model.ready()
  return getModelId(model, table, idOrSlug)
}

/** One record in the given shape, by `_id`, slug or former slug; throws 404. */
export const readRecord = async <T extends AddressableTable, R>(
  model: ReadModel,
  table: T,
  idOrSlug: string,
  toRecord: (model: ReadModel, row: ModelRow<T>) => R,
): Promise<R> => {
  const _id = await findModelId(model, table, idOrSlug)
  return toRecord(model, model.table(table).need(_id))
}
