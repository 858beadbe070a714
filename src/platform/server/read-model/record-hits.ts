import { type HitContext, type HitSource, toRecordHit } from '../../../contract/record-hit.ts'
import type { RecordHit, RecordKind } from '../../../contract/records.ts'
import type { ReadModel } from './read-model.ts'

const createHitSource = (model: ReadModel): HitSource => ({
  getPerson: (_id) => model.table('person').get(_id),
  getSite: (_id) => model.table('site').get(_id),
  getCharter: (_id) => model.table('charter').get(_id),
  getBrand: (_id) => model.table('brand').get(_id),
  getRegion: (_id) => model.table('region').get(_id),
  getRole: (_id) => model.table('role').get(_id),
  listPositions: (person) => model.table('site_person').where('person', person),
  countSites: (of, _id) => model.table('site').where(of, _id).length,
  countCharters: (brand) => model.table('charter').where('brand', brand).length,
})

/** A record as one line; undefined if it does not exist. */
export const getRecordHit = (model: ReadModel, kind: RecordKind, _id: string, context?: HitContext): RecordHit | undefined =>
  toRecordHit(createHitSource(model), kind, _id, context)

/** Records of any kind in the given order, one line each; missing records are skipped. */
export const listRecordHits = async (
  model: ReadModel,
  records: readonly { readonly kind: RecordKind; readonly record: string }[],
): Promise<RecordHit[]> => {
  await model.ready()
  return records.flatMap(({ kind, record }) => getRecordHit(model, kind, record) ?? [])
}
