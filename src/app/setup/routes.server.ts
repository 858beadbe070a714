import { examineMail } from '../../doctor/examination.server.ts'
import { getAuditActor, recordAudit } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { readFindings, readSetup, removeSample, saveSetupStep, sendTestMail } from './contract.ts'
import { removeSampleNetwork, saveStepState } from './mutations.server.ts'
import { getSetup, listFindings } from './queries.server.ts'

export const setupRoutes: Route[] = [
  handle(readSetup, async ({ context, user }) => getSetup(context, user)),
  handle(saveSetupStep, async ({ context, user, params, body, edit }) => {
    await edit((tx) => saveStepState(tx, params.step, body.state))
    return getSetup(context, user)
  }),
  handle(readFindings, async ({ context }) => listFindings(context)),
  handle(sendTestMail, async ({ context: { configuration, db }, body: { to }, request }) => {
    const findings = await examineMail(configuration, to)
    await recordAudit(db, request, { kind: 'test_mail.sent', after: { to } })
    return findings.map((finding) => ({ what: 'Test mail', ...finding }))
  }),
  handle(removeSample, async ({ context, user, request }) => {
    const backup = await removeSampleNetwork(context, user, (tx, path) =>
      recordAudit(tx, getAuditActor(request), { kind: 'sample.removed', after: { backup: path } }),
    )
    context.log.warn({ backup, account: user.account }, 'The sample network was removed')
    // Everything that is in memory is of the sample.
    context.lists.invalidateAll(context.lists.isFollowingChanges)
    await context.readModel.ready()
    return { backup }
  }),
]
