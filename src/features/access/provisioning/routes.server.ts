import { notFound } from '../../../contract/problem.ts'
import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { getTenant } from '../session/queries.server.ts'
import { createScimToken, deleteScimToken, listDirectoryGroups, listLevelMappings, listScimTokens, saveLevelMappings } from './contract.ts'
import { listMappableGroups, listMappings, replaceMappings } from './mappings.server.ts'
import { deleteToken, insertToken, selectScimTokens } from './tokens.server.ts'

export const provisioningRoutes: Route[] = [
  handle(listScimTokens, async ({ context }) => selectScimTokens(context.db)),
  handle(createScimToken, async ({ body, user, edit, context, request }) => {
    const made = await edit(async (tx) => {
      const inserted = await insertToken(tx, body.name, user.account)
      await recordAudit(tx, request, { kind: 'scim_token.created', record: inserted._id, after: { name: body.name } })
      return inserted
    })
    logSecurityEvent(context.log, request, 'scim_token_made', { token: made._id })
    return made
  }),
  handle(deleteScimToken, async ({ params, edit, context, request }) => {
    await edit(async (tx) => {
      const name = await deleteToken(tx, params.id)
      if (name === undefined) throw notFound('This token')
      await recordAudit(tx, request, { kind: 'scim_token.removed', record: params.id, before: { name } })
    })
    logSecurityEvent(context.log, request, 'scim_token_removed', { token: params.id })
  }),
  handle(listLevelMappings, async ({ context }) => listMappings(context.db)),
  handle(saveLevelMappings, async ({ body, edit, context, request }) => {
    const saved = await edit(async (tx) => {
      const before = await listMappings(tx)
      await replaceMappings(tx, body)
      const after = await listMappings(tx)
      await recordAudit(tx, request, { kind: 'level_mapping.changed', before: { mappings: before }, after: { mappings: after } })
      return after
    })
    // Before the response, so that the next request has its new level.
    await context.lists.invalidate(['level_mapping'])
    logSecurityEvent(context.log, request, 'level_mappings_changed', { levels: saved.map(({ level }) => String(level)) })
    return saved
  }),
  handle(listDirectoryGroups, async ({ context }) => listMappableGroups(context.db, getTenant(context.configuration))),
]
