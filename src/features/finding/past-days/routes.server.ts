import { recordAffairRead } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { findModelId } from '../../../platform/server/read-model/read-record.ts'
import { findAffairId } from '../../changing/history/queries.server.ts'
import { readAffairPastDays, readPastDays } from './contract.ts'
import { readDays } from './queries.server.ts'

export const pastDayRoutes: Route[] = [
  handle(readPastDays, async ({ params: { kind, id }, context }) => {
    const record = await findModelId(context.readModel, kind, id)
    return readDays(context, kind, record, record)
  }),
  handle(readAffairPastDays, async ({ params: { id }, context, request }) => {
    const record = await findModelId(context.readModel, 'charter', id)
    const days = await readDays(context, 'charter_affair', record, await findAffairId(context.db, record))
    await recordAffairRead(context, request, 'history', record)
    return days
  }),
]
