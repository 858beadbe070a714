import type { CheckedKind } from '../../../contract/checks.ts'
import { Problem } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { recordAudit, toSettingsEvents } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { findModelId } from '../../../platform/server/read-model/read-record.ts'
import { toCheckFields } from '../../../platform/server/read-model/references.ts'
import { type Check, createCheck, createChecks, deleteCheck, listChecks, readCheckSettings, saveCheckSettings } from './contract.ts'
import { saveCheck, undoCheck } from './mutations.server.ts'
import { getChecker, listRecordsToCheck, mayCheck } from './queries.server.ts'
import { readStoredCheckSettings, saveCheckIntervals, toCheckSettings } from './settings.server.ts'

/** The `_id` of a record that a user may check; throws 404 and 403. */
const findCheckable = async (context: AppContext, user: SignedIn, kind: CheckedKind, idOrSlug: string): Promise<string> => {
  const _id = await findModelId(context.readModel, kind, idOrSlug)
  if (!mayCheck(context.readModel, await getChecker(context, user), kind, _id))
    throw new Problem(403, 'You do not have access to do this', {
      detail: 'Only the people responsible for a record and people who can edit it can check it.',
    })
  return _id
}

const getCheck = async ({ readModel }: AppContext, kind: CheckedKind, _id: string): Promise<Check> => {
  await readModel.ready()
  return { kind, _id, ...toCheckFields(readModel.table(kind).need(_id)) }
}

export const checkRoutes: Route[] = [
  handle(createCheck, async ({ body: { kind, _id: idOrSlug }, user, context, edit }) => {
    const _id = await findCheckable(context, user, kind, idOrSlug)
    await edit((tx) => saveCheck(tx, kind, _id, context.now()))
    return getCheck(context, kind, _id)
  }),
  handle(createChecks, async ({ body: { kind, ids }, user, context, edit }) => {
    const found = new Set<string>()
    for (const one of ids) found.add(await findCheckable(context, user, kind, one))
    // In key order, so that two such saves never deadlock.
    await edit(async (tx) => {
      for (const _id of [...found].toSorted()) await saveCheck(tx, kind, _id, context.now())
    })
    return { checked: found.size }
  }),
  handle(deleteCheck, async ({ params: { kind, id }, user, context, edit }) => {
    const _id = await findCheckable(context, user, kind, id)
    await edit((tx) => undoCheck(tx, kind, _id, user.account, context.now()))
    return getCheck(context, kind, _id)
  }),
  handle(listChecks, async ({ query: { due, ...filter }, user, context }) =>
    listRecordsToCheck(context, await getChecker(context, user), { ...filter, isDue: due === 'true' }),
  ),
  handle(readCheckSettings, async ({ context }) => toCheckSettings(await readStoredCheckSettings(context.db))),
  handle(saveCheckSettings, async ({ body, edit, request }) => {
    const saved = await edit(async (tx, ifMatchVersion) => {
      const before = await readStoredCheckSettings(tx)
      const after = await saveCheckIntervals(tx, ifMatchVersion, body.intervals)
      await recordAudit(tx, request, ...toSettingsEvents('checks', before.intervals, after.intervals))
      return after
    })
    return toCheckSettings(saved)
  }),
]
