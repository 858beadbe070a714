import type { Call } from '../contract/call.ts'
import { accountRoutes } from '../features/access/accounts/routes.server.ts'
import { deviceRoutes } from '../features/access/devices/routes.server.ts'
import { eraseRoutes } from '../features/access/erase/routes.server.ts'
import { offlineRoutes } from '../features/access/offline/routes.server.ts'
import { permissionRoutes } from '../features/access/permissions/routes.server.ts'
import { provisioningRoutes } from '../features/access/provisioning/routes.server.ts'
import { sessionRoutes } from '../features/access/session/routes.server.ts'
import { archiveRoutes } from '../features/changing/archive/routes.server.ts'
import { changesetRoutes } from '../features/changing/changesets/routes.server.ts'
import { checkRoutes } from '../features/changing/checks/routes.server.ts'
import { commentRoutes } from '../features/changing/comments/routes.server.ts'
import { duplicateRoutes } from '../features/changing/duplicates/routes.server.ts'
import { historyRoutes } from '../features/changing/history/routes.server.ts'
import { liveRoutes } from '../features/changing/live/routes.server.ts'
import { mergeRoutes } from '../features/changing/merges/routes.server.ts'
import { pictureRoutes } from '../features/changing/pictures/routes.server.ts'
import { proposalRoutes } from '../features/changing/requests/proposal-routes.server.ts'
import { requestRoutes } from '../features/changing/requests/routes.server.ts'
import { importRoutes } from '../features/changing/sheets/imports/routes.server.ts'
import { sheetRoutes } from '../features/changing/sheets/routes.server.ts'
import { calendarRoutes } from '../features/deadlines/calendars/routes.server.ts'
import { deadlineRoutes } from '../features/deadlines/deadlines/routes.server.ts'
import { reminderRoutes } from '../features/deadlines/reminders/routes.server.ts'
import { assistantRoutes } from '../features/exchange/assistants/routes.server.ts'
import { createWebhookRoutes } from '../features/exchange/webhooks/routes.server.ts'
import { activityRoutes } from '../features/finding/activity/routes.server.ts'
import { favoriteRoutes } from '../features/finding/favorites/routes.server.ts'
import { pastDayRoutes } from '../features/finding/past-days/routes.server.ts'
import { savedViewRoutes } from '../features/finding/saved-views/routes.server.ts'
import { searchRoutes } from '../features/finding/search/routes.server.ts'
import { auditRoutes } from '../features/operations/audit/routes.server.ts'
import { errorLogRoutes } from '../features/operations/error-log/routes.server.ts'
import { helpRoutes } from '../features/operations/help/routes.server.ts'
import { newsRoutes } from '../features/operations/news/routes.server.ts'
import { pageViewRoutes } from '../features/operations/page-views/routes.server.ts'
import { serverStateRoutes } from '../features/operations/server-state/routes.server.ts'
import type { Route } from '../platform/server/handler.ts'
import { hrRoutes } from '../records/hr/routes.server.ts'
import { mapRoutes } from '../records/map/routes.server.ts'
import { regionRoutes } from '../records/regions/routes.server.ts'
import { settingsRoutes } from '../records/settings/routes.server.ts'
import { coverageRoutes } from './coverage/routes.server.ts'
import { departureRoutes } from './departures/routes.server.ts'
import { dossierRoutes } from './dossier/routes.server.ts'
import { ACTIVITY_PARTS } from './exports/history.ts'
import { exportRoutes } from './exports/routes.server.ts'
import { homeRoutes } from './home/routes.server.ts'
import { insightRoutes } from './insights/routes.server.ts'
import { recordKinds } from './kinds.server.ts'
import { setupRoutes } from './setup/routes.server.ts'

/** The routes of all features: the only list of calls. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...provisioningRoutes,
  ...accountRoutes,
  ...deviceRoutes,
  ...offlineRoutes,
  ...permissionRoutes,
  ...regionRoutes,
  ...Object.values(recordKinds).flatMap(({ routes = [] }) => routes),
  ...departureRoutes,
  ...eraseRoutes,
  ...hrRoutes,
  ...pictureRoutes,
  ...requestRoutes,
  ...proposalRoutes,
  ...commentRoutes,
  ...archiveRoutes,
  ...changesetRoutes,
  ...duplicateRoutes,
  ...mergeRoutes,
  ...sheetRoutes,
  ...importRoutes,
  ...homeRoutes,
  ...newsRoutes,
  ...settingsRoutes,
  ...historyRoutes,
  ...liveRoutes,
  ...activityRoutes,
  ...pastDayRoutes,
  ...searchRoutes,
  ...deadlineRoutes,
  ...calendarRoutes,
  ...checkRoutes,
  ...reminderRoutes,
  ...favoriteRoutes,
  ...savedViewRoutes,
  ...mapRoutes,
  ...coverageRoutes,
  ...insightRoutes,
  ...exportRoutes,
  ...dossierRoutes,
  ...pageViewRoutes,
  ...auditRoutes,
  ...errorLogRoutes,
  ...serverStateRoutes,
  ...helpRoutes,
  ...createWebhookRoutes(ACTIVITY_PARTS),
  ...assistantRoutes,
  // The last ones, because removing the sample leaves nothing to test the others with.
  ...setupRoutes,
]

/** Every call of both APIs. */
export const calls: readonly Call[] = routes.map(({ call }) => call)
