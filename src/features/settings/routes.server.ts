import { on, type Route } from '../../platform/server/handler.ts'
import { readSettings, readSiteDefaults, saveSettings } from './contract.ts'
import { saveSettingsIn, settingsIn, siteDefaults } from './queries.server.ts'

export const settingsRoutes: Route[] = [
  on(readSettings, async ({ house }) => settingsIn(house.db)),
  on(saveSettings, async ({ body, edit }) =>
    edit(async (tx, seen) => {
      await saveSettingsIn(tx, seen, body)
      return settingsIn(tx)
    }),
  ),
  on(readSiteDefaults, async ({ house }) => siteDefaults(house.db)),
]
