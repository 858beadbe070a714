import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

import { requireSignedIn, requireSignedOut, requireCapability } from './features/access/session/web/guards.ts'
import { SIGNED_IN_AGAIN_PATH } from './features/access/session/web/sign-in-navigation.ts'
import { Frame, Loading, Root } from './frame.web.tsx'
import type { Capability } from './platform/contract/capabilities.ts'
import { NotFoundPage } from './platform/web/kit/NotFoundPage.tsx'

const root = createRootRoute({ component: Root })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: requireSignedOut,
  component: lazyRouteComponent(() => import('./features/access/session/web/LoginPage.tsx'), 'LoginPage'),
})

/** Where a sign-in over a form ends (D36). */
const signedInAgain = createRoute({
  getParentRoute: () => root,
  path: SIGNED_IN_AGAIN_PATH,
  beforeLoad: requireSignedIn,
  component: lazyRouteComponent(() => import('./features/access/session/web/SignedInPage.tsx'), 'SignedInPage'),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSignedIn,
  component: Frame,
  pendingComponent: Loading,
})

type Page = Parameters<typeof createRoute>[0]['component']

/** A page for everybody who is signed in. */
const page = <const Path extends string>(path: Path, component: Page) => createRoute({ getParentRoute: () => signedIn, path, component })
/** A page behind the admin guard (section 6, D12): whose level is not enough goes home. */
const guarded = <const Path extends string>(capability: Capability, path: Path, component: Page) =>
  createRoute({ getParentRoute: () => signedIn, path, component, beforeLoad: requireCapability(capability) })

const brands = lazyRouteComponent(() => import('./features/records/brands/web/BrandsPage.tsx'), 'BrandsPage')

/** The route table of section 2. Each page is a chunk of its own. */
export const routeTree = root.addChildren([
  login,
  signedInAgain,
  signedIn.addChildren([
    page(
      '/',
      lazyRouteComponent(() => import('./features/finding/home/web/HomePage.tsx'), 'HomePage'),
    ),
    page(
      '/regions',
      lazyRouteComponent(() => import('./features/records/regions/web/RegionsPage.tsx'), 'RegionsPage'),
    ),
    page(
      '/region/$id',
      lazyRouteComponent(() => import('./features/records/regions/web/RegionPage.tsx'), 'RegionPage'),
    ),
    page(
      '/region/$id/org',
      lazyRouteComponent(() => import('./features/finding/coverage/web/OrgChartPage.tsx'), 'OrgChartPage'),
    ),
    page(
      '/region/$id/calls',
      lazyRouteComponent(() => import('./features/finding/coverage/web/CallListPage.tsx'), 'CallListPage'),
    ),
    page(
      '/charters',
      lazyRouteComponent(() => import('./features/records/charters/web/ChartersPage.tsx'), 'ChartersPage'),
    ),
    page('/brand', brands),
    page('/brands', brands),
    page(
      '/locations',
      lazyRouteComponent(() => import('./features/records/sites/web/SitesPage.tsx'), 'SitesPage'),
    ),
    guarded(
      'manage the network',
      '/add_staff',
      lazyRouteComponent(() => import('./features/exchange/hr/web/AddStaffPage.tsx'), 'AddStaffPage'),
    ),
    guarded(
      'edit a site',
      '/add_location',
      lazyRouteComponent(() => import('./features/records/sites/web/NewSitePage.tsx'), 'NewSitePage'),
    ),
    guarded(
      'manage the network',
      '/addbrand',
      lazyRouteComponent(() => import('./features/records/brands/web/NewBrandPage.tsx'), 'NewBrandPage'),
    ),
    guarded(
      'manage the network',
      '/addcharter',
      lazyRouteComponent(() => import('./features/records/charters/web/NewCharterPage.tsx'), 'NewCharterPage'),
    ),
    page(
      '/charter/$id',
      lazyRouteComponent(() => import('./features/records/charters/web/CharterPage.tsx'), 'CharterPage'),
    ),
    page(
      '/charterview/$id',
      lazyRouteComponent(() => import('./features/records/charters/web/CharterViewPage.tsx'), 'CharterViewPage'),
    ),
    guarded(
      'read a charter affair',
      '/charter_affair/$id',
      lazyRouteComponent(() => import('./features/records/charter-affairs/web/CharterAffairPage.tsx'), 'CharterAffairPage'),
    ),
    page(
      '/brand/$id',
      lazyRouteComponent(() => import('./features/records/brands/web/BrandPage.tsx'), 'BrandPage'),
    ),
    page(
      '/brandview/$id',
      lazyRouteComponent(() => import('./features/records/brands/web/BrandViewPage.tsx'), 'BrandViewPage'),
    ),
    page(
      '/location/$slug',
      lazyRouteComponent(() => import('./features/records/sites/web/SitePage.tsx'), 'SitePage'),
    ),
    page(
      '/location/fac/$slug',
      lazyRouteComponent(() => import('./features/records/facility/web/FacilityPage.tsx'), 'FacilityPage'),
    ),
    page(
      '/location/enrollment/$slug',
      lazyRouteComponent(() => import('./features/records/enrollment/web/EnrollmentPage.tsx'), 'EnrollmentPage'),
    ),
    page(
      '/location/staff/$slug',
      lazyRouteComponent(() => import('./features/records/site-staff/web/SiteStaffPage.tsx'), 'SiteStaffPage'),
    ),
    page(
      '/location/$slug/sis',
      lazyRouteComponent(() => import('./features/records/sis-sites/web/SisSitesPage.tsx'), 'SisSitesPage'),
    ),
    guarded(
      'open a SIS site',
      '/location/$slug/sis/$id',
      lazyRouteComponent(() => import('./features/records/sis-sites/web/SisSitePage.tsx'), 'SisSitePage'),
    ),
    page(
      '/leadership',
      lazyRouteComponent(() => import('./features/records/people/web/LeadershipPage.tsx'), 'LeadershipPage'),
    ),
    page(
      '/support',
      lazyRouteComponent(() => import('./features/records/people/web/StudentSupportPage.tsx'), 'StudentSupportPage'),
    ),
    page(
      '/coverage',
      lazyRouteComponent(() => import('./features/finding/coverage/web/CoveragePage.tsx'), 'CoveragePage'),
    ),
    page(
      '/downloads',
      lazyRouteComponent(() => import('./features/exchange/exports/web/DownloadsPage.tsx'), 'DownloadsPage'),
    ),
    page(
      '/requests',
      lazyRouteComponent(() => import('./features/changing/requests/web/RequestsPage.tsx'), 'RequestsPage'),
    ),
    guarded(
      'manage administrators',
      '/permissions',
      lazyRouteComponent(() => import('./features/administration/permissions/web/PermissionsPage.tsx'), 'PermissionsPage'),
    ),
    guarded(
      'change the settings',
      '/settings',
      lazyRouteComponent(() => import('./features/records/settings/web/SettingsPage.tsx'), 'SettingsPage'),
    ),
    guarded(
      'see searches without results',
      '/searches',
      lazyRouteComponent(() => import('./features/finding/search/web/FailedSearchesPage.tsx'), 'FailedSearchesPage'),
    ),
    guarded(
      'see usage',
      '/usage',
      lazyRouteComponent(() => import('./features/operations/page-views/web/UsagePage.tsx'), 'UsagePage'),
    ),
    guarded(
      'see the error log',
      '/errors',
      lazyRouteComponent(() => import('./features/operations/error-log/web/ErrorsPage.tsx'), 'ErrorsPage'),
    ),
    page(
      '/account',
      lazyRouteComponent(() => import('./features/administration/accounts/web/AccountPage.tsx'), 'AccountPage'),
    ),
    guarded(
      'end anyone’s sessions',
      '/accounts',
      lazyRouteComponent(() => import('./features/administration/accounts/web/SignInsPage.tsx'), 'SignInsPage'),
    ),
    guarded(
      'end anyone’s sessions',
      '/accounts/$id',
      lazyRouteComponent(() => import('./features/administration/accounts/web/OtherAccountPage.tsx'), 'OtherAccountPage'),
    ),
    page(
      '/staff/$slug',
      lazyRouteComponent(() => import('./features/records/people/web/PersonPage.tsx'), 'PersonPage'),
    ),
    page('/404', NotFoundPage),
    page('$', NotFoundPage),
  ]),
])
