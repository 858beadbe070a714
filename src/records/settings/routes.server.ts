import { recordAudit, toSettingsEvents } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { toRoles } from '../people/queries.server.ts'
import { readSettings, readSiteDefaults, saveRolesOfType, saveSettings } from './contract.ts'
import { updateRolesOfType, updateSettings } from './mutations.server.ts'
import { getSettings, getSiteDefaults } from './queries.server.ts'

export const settingsRoutes: Route[] = [
  handle(readSettings, async ({ context }) => getSettings(context.db, context.configuration)),
  handle(saveSettings, async ({ body, edit, context, request }) => {
    const saved = await edit(async (tx, ifMatchVersion) => {
      const before = await getSettings(tx, context.configuration)
      await updateSettings(tx, ifMatchVersion, body)
      const after = await getSettings(tx, context.configuration)
      await recordAudit(tx, request, ...toSettingsEvents('settings', before, after))
      return after
    })
    await context.organization.load()
    // Requests without a recipient may have one now.
    context.mail.addressSoon()
    return saved
  }),
  handle(saveRolesOfType, async ({ body, edit, context: { readModel }, request }) => {
    const before = toRoles(readModel)
    await edit(async (tx) => {
      await updateRolesOfType(tx, body)
      const names = (isHad: boolean) => before.filter(({ _id }) => body.roles[_id] === isHad).map(({ name }) => name)
      await recordAudit(tx, request, {
        kind: 'settings.changed',
        record: 'facility types',
        after: { type: body.type, has: names(true), hasNot: names(false) },
      })
    })
    await readModel.ready()
    return toRoles(readModel)
  }),
  handle(readSiteDefaults, async ({ context }) => getSiteDefaults(context.db)),
]
