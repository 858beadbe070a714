import { on, type Route } from '../../../platform/server/handler.ts'
import { readSettings, readSiteDefaults, saveSettings } from './contract.ts'
import { updateSettings, getSettings, getSiteDefaults } from './queries.server.ts'

export const settingsRoutes: Route[] = [
  on(readSettings, async ({ house }) => getSettings(house.db, house.configuration)),
  on(saveSettings, async ({ body, edit, house }) => {
    const saved = await edit(async (tx, seen) => {
      await updateSettings(tx, seen, body)
      return getSettings(tx, house.configuration)
    })
    // Requests that nobody was set to get may have somebody now.
    void house.mail.sweepSoon()
    return saved
  }),
  on(readSiteDefaults, async ({ house }) => getSiteDefaults(house.db)),
]
