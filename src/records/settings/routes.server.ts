import { recordAudit, toSettingsEvents } from '../../platform/server/audit.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { readSettings, readSiteDefaults, saveSettings } from './contract.ts'
import { updateSettings } from './mutations.server.ts'
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
    // Requests without a recipient may have one now.
    context.mail.addressSoon()
    return saved
  }),
  handle(readSiteDefaults, async ({ context }) => getSiteDefaults(context.db)),
]
