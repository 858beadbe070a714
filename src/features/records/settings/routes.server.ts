import { handle, type Route } from '../../../platform/server/handler.ts'
import { readSettings, readSiteDefaults, saveSettings } from './contract.ts'
import { updateSettings } from './mutations.server.ts'
import { getSettings, getSiteDefaults } from './queries.server.ts'

export const settingsRoutes: Route[] = [
  handle(readSettings, async ({ context }) => getSettings(context.db, context.configuration)),
  handle(saveSettings, async ({ body, edit, context }) => {
    const saved = await edit(async (tx, seen) => {
      await updateSettings(tx, seen, body)
      return getSettings(tx, context.configuration)
    })
    // Requests without a recipient may have one now.
    void context.mail.addressSoon()
    return saved
  }),
  handle(readSiteDefaults, async ({ context }) => getSiteDefaults(context.db)),
]
