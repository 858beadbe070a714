import { on, type Route } from '../../../platform/server/handler.ts'
import { readSettings, readSiteDefaults, saveSettings } from './contract.ts'
import { saveSettingsIn, settingsIn, siteDefaults } from './queries.server.ts'

export const settingsRoutes: Route[] = [
  on(readSettings, async ({ house }) => settingsIn(house.db, house.configuration)),
  on(saveSettings, async ({ body, edit, house }) => {
    const saved = await edit(async (tx, seen) => {
      await saveSettingsIn(tx, seen, body)
      return settingsIn(tx, house.configuration)
    })
    // Requests that nobody was set to get may have somebody now.
    void house.mail.sweepSoon()
    return saved
  }),
  on(readSiteDefaults, async ({ house }) => siteDefaults(house.db)),
]
