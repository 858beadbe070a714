import { notFound } from '../../../contract/problem.ts'
import { getRecordName } from '../../../contract/records.ts'
import { getAuditActor } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { erase, listErasures, readErasurePreview } from './contract.ts'
import { saveErasureFiles } from './files.server.ts'
import { erasePersonalData } from './mutations.server.ts'
import { findErasures, getErasurePreview } from './queries.server.ts'
import { findSubject } from './subject.server.ts'

export const eraseRoutes: Route[] = [
  handle(readErasurePreview, async ({ params: { kind, id }, user, context: { db, configuration, now } }) => {
    const subject = await findSubject(db, kind, id)
    if (!subject) throw notFound(getRecordName(kind))
    return getErasurePreview(db, configuration, user, subject, now())
  }),
  handle(erase, async ({ body, user, context, request, edit }) => {
    const { db, configuration, lists, log } = context
    const { number } = await edit((tx) => erasePersonalData(tx, configuration, user, getAuditActor(request), body))
    await lists.invalidate(['session', 'account', 'api_token'])
    logSecurityEvent(log, request, 'personal_data_erased', { erasure: number })
    await saveErasureFiles(context)
    const [erasure] = await findErasures(db, configuration, number)
    if (!erasure) throw notFound('Erasure')
    return erasure
  }),
  handle(listErasures, async ({ context: { db, configuration } }) => findErasures(db, configuration)),
]
