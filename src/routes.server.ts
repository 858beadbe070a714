import { accountRoutes } from './features/account/routes.server.ts'
import { brandRoutes } from './features/brands/routes.server.ts'
import { charterAffairRoutes } from './features/charter-affairs/routes.server.ts'
import { charterRoutes } from './features/charters/routes.server.ts'
import { coverageRoutes } from './features/coverage/routes.server.ts'
import { enrollmentRoutes } from './features/enrollment/routes.server.ts'
import { errorLogRoutes } from './features/error-log/routes.server.ts'
import { exportRoutes } from './features/exports/routes.server.ts'
import { facilityRoutes } from './features/facility/routes.server.ts'
import { favouriteRoutes } from './features/favourites/routes.server.ts'
import { historyRoutes } from './features/history/routes.server.ts'
import { homeRoutes } from './features/home/routes.server.ts'
import { hrRoutes } from './features/hr/routes.server.ts'
import { leavingRoutes } from './features/leaving/routes.server.ts'
import { mapRoutes } from './features/map/routes.server.ts'
import { pageViewRoutes } from './features/page-views/routes.server.ts'
import { peopleRoutes } from './features/people/routes.server.ts'
import { permissionRoutes } from './features/permissions/routes.server.ts'
import { pictureRoutes } from './features/pictures/routes.server.ts'
import { regionRoutes } from './features/regions/routes.server.ts'
import { requestRoutes } from './features/requests/routes.server.ts'
import { savedViewRoutes } from './features/saved-views/routes.server.ts'
import { searchRoutes } from './features/search/routes.server.ts'
import { serverStateRoutes } from './features/server-state/routes.server.ts'
import { sessionRoutes } from './features/session/routes.server.ts'
import { settingsRoutes } from './features/settings/routes.server.ts'
import { sisSiteRoutes } from './features/sis-sites/routes.server.ts'
import { siteStaffRoutes } from './features/site-staff/routes.server.ts'
import { siteRoutes } from './features/sites/routes.server.ts'
import type { Route } from './platform/server/handler.ts'

/** Every feature's handlers. */
export const routes: readonly Route[] = [
  ...sessionRoutes,
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
  ...leavingRoutes,
  ...hrRoutes,
  ...pictureRoutes,
  ...requestRoutes,
  ...homeRoutes,
  ...settingsRoutes,
  ...historyRoutes,
  ...searchRoutes,
  ...favouriteRoutes,
  ...savedViewRoutes,
  ...mapRoutes,
  ...coverageRoutes,
  ...exportRoutes,
  ...pageViewRoutes,
  ...errorLogRoutes,
  ...serverStateRoutes,
]
