import type { AppContext } from './app-context.ts'
import { ListCache } from './list-cache.ts'
import type { ReadModel } from './read-model/read-model.ts'
import { RecordCache } from './record-cache.ts'

const views = new WeakMap<ReadModel, { readonly revision: number; readonly view: AppContext }>()

/** The context of requests for archived records: lists have these instead of the others, until something changes. */
export const getArchivedView = async (context: AppContext): Promise<AppContext> => {
  const { readModel } = context
  await readModel.ready()
  const { revision } = readModel
  const known = views.get(readModel)
  if (known?.revision === revision) return known.view
  const archived = readModel.copyArchived()
  const view = { ...context, readModel: archived, lists: new ListCache(archived), records: new RecordCache(archived) }
  views.set(readModel, { revision, view })
  return view
}
