import type { Call } from '../contract/call.ts'
import { provisioningRoutes } from '../features/access/provisioning/routes.server.ts'
import { sessionRoutes } from '../features/access/session/routes.server.ts'
import { accountRoutes } from '../features/administration/accounts/routes.server.ts'
import { permissionRoutes } from '../features/administration/permissions/routes.server.ts'
import { exportRoutes } from '../features/exchange/exports/routes.server.ts'
import { hrRoutes } from '../features/exchange/hr/routes.server.ts'
import { sheetRoutes } from '../features/exchange/sheets/routes.server.ts'
import { coverageRoutes } from '../features/finding/coverage/routes.server.ts'
import { homeRoutes } from '../features/finding/home/routes.server.ts'
import { searchRoutes } from '../features/finding/search/routes.server.ts'
import { auditRoutes } from '../features/operations/audit/routes.server.ts'
import { errorLogRoutes } from '../features/operations/error-log/routes.server.ts'
import { pageViewRoutes } from '../features/operations/page-views/routes.server.ts'
import { serverStateRoutes } from '../features/operations/server-state/routes.server.ts'
import { webhookRoutes } from '../features/operations/webhooks/routes.server.ts'
import { activityRoutes } from '../features/record-tools/activity/routes.server.ts'
import { calendarRoutes } from '../features/record-tools/calendars/routes.server.ts'
import { changesetRoutes } from '../features/record-tools/changesets/routes.server.ts'
import { checkRoutes } from '../features/record-tools/checks/routes.server.ts'
import { deadlineRoutes } from '../features/record-tools/deadlines/routes.server.ts'
import { favoriteRoutes } from '../features/record-tools/favorites/routes.server.ts'
import { historyRoutes } from '../features/record-tools/history/routes.server.ts'
import { mapRoutes } from '../features/record-tools/map/routes.server.ts'
import { pictureRoutes } from '../features/record-tools/pictures/routes.server.ts'
import { reminderRoutes } from '../features/record-tools/reminders/routes.server.ts'
import { proposalRoutes } from '../features/record-tools/requests/proposal-routes.server.ts'
import { requestRoutes } from '../features/record-tools/requests/routes.server.ts'
import { savedViewRoutes } from '../features/record-tools/saved-views/routes.server.ts'
import type { Route } from '../platform/server/handler.ts'
import { brandRoutes } from '../records/brands/routes.server.ts'
import { charterAffairRoutes } from '../records/charter-affairs/routes.server.ts'
import { charterRoutes } from '../records/charters/routes.server.ts'
import { departureRoutes } from '../records/departures/routes.server.ts'
import { enrollmentRoutes } from '../records/enrollment/routes.server.ts'
import { facilityRoutes } from '../records/facility/routes.server.ts'
import { peopleRoutes } from '../records/people/routes.server.ts'
import { regionRoutes } from '../records/regions/routes.server.ts'
import { settingsRoutes } from '../records/settings/routes.server.ts'
import { sisSiteRoutes } from '../records/sis-sites/routes.server.ts'
import { siteStaffRoutes } from '../records/site-staff/routes.server.ts'
import { siteRoutes } from '../records/sites/routes.server.ts'

/** The routes of all features: the only list of calls. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
  ...provisioningRoutes,
  ...accountRoutes,
  ...permissionRoutes,
  ...regionRoutes,
  ...brandRoutes,
  ...charterRoutes,
  ...charterAffairRoutes,
  ...siteRoutes,
  ...facilityRoutes,
  ...enrollmentRoutes,
  ...siteStaffRoutes,
  ...sisSiteRoutes,
  ...peopleRoutes,
  ...departureRoutes,
  ...hrRoutes,
  ...pictureRoutes,
  ...requestRoutes,
  ...proposalRoutes,
  ...changesetRoutes,
  ...sheetRoutes,
  ...homeRoutes,
  ...settingsRoutes,
  ...historyRoutes,
  ...activityRoutes,
  ...searchRoutes,
  ...deadlineRoutes,
  ...calendarRoutes,
  ...checkRoutes,
  ...reminderRoutes,
  ...favoriteRoutes,
  ...savedViewRoutes,
  ...mapRoutes,
  ...coverageRoutes,
  ...exportRoutes,
  ...pageViewRoutes,
  ...auditRoutes,
  ...errorLogRoutes,
  ...serverStateRoutes,
  ...webhookRoutes,
]

/** Every call of both APIs. */
export const calls: readonly Call[] = routes.map(({ call }) => call)
