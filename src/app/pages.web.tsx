import { createRootRoute, createRoute, lazyRouteComponent, type SearchMiddleware } from '@tanstack/react-router'
import type { ComponentType } from 'react'

import { PAGE_LIST, type PageDefinition, type PagePath, type PAGES } from '../contract/pages.ts'
import { requireSignedIn, requireSignedOut, requireCapability } from '../features/access/session/web/guards.ts'
import { NotFoundPage } from '../platform/web/kit/NotFoundPage.tsx'
import { keepDay, pastDay } from '../platform/web/past-day.ts'
import type { SearchParams } from '../platform/web/search-params.ts'
import { Frame, Loading, Root } from './frame.web.tsx'

/** Links stay on the day that is shown. */
const keepDayInLinks: SearchMiddleware<SearchParams> = ({ search, next }) => ({
  ...next(search),
  ...(pastDay === undefined ? {} : { on: pastDay }),
})

const root = createRootRoute({ component: Root, search: { middlewares: [keepDayInLinks] } })

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSignedIn,
  component: Frame,
  pendingComponent: Loading,
  // The first paint has the shape of the page.
  pendingMs: 0,
})

/** The page of a list of records, with what features show there. */
const listPage = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazyRouteComponent(async () => {
    const [page, { withListFeatures }] = await Promise.all([load(), import('./list-features.web.tsx')])
    return { default: withListFeatures(page[name]) }
  })

/** The page of a record, with what features show there. */
const recordPage = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazyRouteComponent(async () => {
    const [page, { withRecordFeatures }] = await Promise.all([load(), import('./record-features.web.tsx')])
    return { default: withRecordFeatures(page[name]) }
  })

const brands = listPage(() => import('../records/brands/web/BrandsPage.tsx'), 'BrandsPage')

/** The component of every page, each in its own chunk. */
const COMPONENTS = {
  '/login': lazyRouteComponent(() => import('../features/access/session/web/LoginPage.tsx'), 'LoginPage'),
  '/signed-in-again': lazyRouteComponent(() => import('../features/access/session/web/SignedInPage.tsx'), 'SignedInPage'),
  '/': lazyRouteComponent(() => import('./home/web/HomePage.tsx'), 'HomePage'),
  '/locations': listPage(() => import('../records/sites/web/SitesPage.tsx'), 'SitesPage'),
  '/location/$slug': recordPage(() => import('../records/sites/web/SitePage.tsx'), 'SitePage'),
  '/location/fac/$slug': recordPage(() => import('../records/facility/web/FacilityPage.tsx'), 'FacilityPage'),
  '/location/enrollment/$slug': recordPage(() => import('../records/enrollment/web/EnrollmentPage.tsx'), 'EnrollmentPage'),
  '/location/staff/$slug': recordPage(() => import('../records/site-staff/web/SiteStaffPage.tsx'), 'SiteStaffPage'),
  '/location/$slug/sis': recordPage(() => import('../records/sis-sites/web/SisSitesPage.tsx'), 'SisSitesPage'),
  '/location/$slug/sis/$id': recordPage(() => import('../records/sis-sites/web/SisSitePage.tsx'), 'SisSitePage'),
  '/charters': listPage(() => import('../records/charters/web/ChartersPage.tsx'), 'ChartersPage'),
  '/charter/$id': recordPage(() => import('../records/charters/web/CharterSitesPage.tsx'), 'CharterSitesPage'),
  '/charterview/$id': recordPage(() => import('../records/charters/web/CharterPage.tsx'), 'CharterPage'),
  '/charter/$id/dossier': recordPage(() => import('./dossier/web/DossierPage.tsx'), 'DossierPage'),
  '/assistant/$id': lazyRouteComponent(() => import('../features/exchange/assistants/web/ConsentPage.tsx'), 'ConsentPage'),
  '/verify': lazyRouteComponent(() => import('./dossier/web/VerifyPage.tsx'), 'VerifyPage'),
  '/charter_affair/$id': recordPage(() => import('../records/charter-affairs/web/CharterAffairPage.tsx'), 'CharterAffairPage'),
  '/brand': brands,
  '/brands': brands,
  '/brand/$id': recordPage(() => import('../records/brands/web/BrandChartersPage.tsx'), 'BrandChartersPage'),
  '/brandview/$id': recordPage(() => import('../records/brands/web/BrandPage.tsx'), 'BrandPage'),
  '/regions': listPage(() => import('../records/regions/web/RegionsPage.tsx'), 'RegionsPage'),
  '/region/$id': recordPage(() => import('../records/regions/web/RegionPage.tsx'), 'RegionPage'),
  '/region/$id/org': recordPage(() => import('./coverage/web/OrgChartPage.tsx'), 'OrgChartPage'),
  '/region/$id/calls': recordPage(() => import('./coverage/web/CallListPage.tsx'), 'CallListPage'),
  '/staff': listPage(() => import('../records/people/web/AllStaffPage.tsx'), 'AllStaffPage'),
  '/leadership': listPage(() => import('../records/people/web/LeadershipPage.tsx'), 'LeadershipPage'),
  '/support': listPage(() => import('../records/people/web/StudentSupportPage.tsx'), 'StudentSupportPage'),
  '/coverage': recordPage(() => import('./coverage/web/CoveragePage.tsx'), 'CoveragePage'),
  '/reorganize': recordPage(() => import('./coverage/web/ReorganizePage.tsx'), 'ReorganizePage'),
  '/planned': lazyRouteComponent(() => import('../features/changing/changesets/web/PlannedPage.tsx'), 'PlannedPage'),
  '/staff/$slug': recordPage(() => import('../records/people/web/PersonPage.tsx'), 'PersonPage'),
  '/addbrand': recordPage(() => import('../records/brands/web/NewBrandPage.tsx'), 'NewBrandPage'),
  '/addcharter': recordPage(() => import('../records/charters/web/NewCharterPage.tsx'), 'NewCharterPage'),
  '/add_staff': recordPage(() => import('../records/hr/web/AddStaffPage.tsx'), 'AddStaffPage'),
  '/add_location': recordPage(() => import('../records/sites/web/NewSitePage.tsx'), 'NewSitePage'),
  '/duplicates': lazyRouteComponent(() => import('../features/changing/duplicates/web/DuplicatesPage.tsx'), 'DuplicatesPage'),
  '/merge': recordPage(() => import('./merge.web.tsx'), 'Merge'),
  '/permissions': lazyRouteComponent(() => import('../features/access/permissions/web/PermissionsPage.tsx'), 'PermissionsPage'),
  '/setup': lazyRouteComponent(() => import('./setup/web/SetupPage.tsx'), 'SetupPage'),
  '/settings': lazyRouteComponent(() => import('./settings.web.tsx'), 'Settings'),
  '/accounts': lazyRouteComponent(() => import('../features/access/accounts/web/SignInsPage.tsx'), 'SignInsPage'),
  '/accounts/$id': lazyRouteComponent(() => import('../features/access/accounts/web/OtherAccountPage.tsx'), 'OtherAccountPage'),
  '/webhooks': lazyRouteComponent(() => import('../features/exchange/webhooks/web/WebhooksPage.tsx'), 'WebhooksPage'),
  '/webhooks/$id': lazyRouteComponent(() => import('../features/exchange/webhooks/web/WebhookPage.tsx'), 'WebhookPage'),
  '/usage': lazyRouteComponent(() => import('../features/operations/page-views/web/UsagePage.tsx'), 'UsagePage'),
  '/errors': lazyRouteComponent(() => import('../features/operations/error-log/web/ErrorsPage.tsx'), 'ErrorsPage'),
  '/audit': lazyRouteComponent(() => import('../features/operations/audit/web/AuditPage.tsx'), 'AuditPage'),
  '/searches': lazyRouteComponent(() => import('../features/finding/search/web/FailedSearchesPage.tsx'), 'FailedSearchesPage'),
  '/deadlines': lazyRouteComponent(() => import('./deadlines.web.tsx'), 'Deadlines'),
  '/insights': lazyRouteComponent(() => import('./insights/web/InsightsPage.tsx'), 'InsightsPage'),
  '/downloads': lazyRouteComponent(() => import('./downloads.web.tsx'), 'Downloads'),
  '/requests': recordPage(() => import('./requests.web.tsx'), 'Requests'),
  '/requests/$id': recordPage(() => import('./suggestion.web.tsx'), 'Decide'),
  '/activity': lazyRouteComponent(() => import('./activity.web.tsx'), 'Activity'),
  '/import': lazyRouteComponent(() => import('../features/changing/sheets/web/ImportStartPage.tsx'), 'ImportStartPage'),
  '/import/$id': recordPage(() => import('../features/changing/sheets/web/ImportPage.tsx'), 'ImportPage'),
  '/sheets/$id': recordPage(() => import('./sheets.web.tsx'), 'Sheet'),
  '/changes/$id': recordPage(() => import('./changeset.web.tsx'), 'Changes'),
  '/account': lazyRouteComponent(() => import('../features/access/accounts/web/AccountPage.tsx'), 'AccountPage'),
  '/help': lazyRouteComponent(() => import('../features/operations/help/web/HelpPage.tsx'), 'HelpPage'),
  '/help/$guide': lazyRouteComponent(() => import('../features/operations/help/web/GuidePage.tsx'), 'GuidePage'),
  '/404': NotFoundPage,
  '/$': NotFoundPage,
} satisfies Record<PagePath, Parameters<typeof createRoute>[0]['component']>

const STANDALONE_GUARDS = { 'signed out': requireSignedOut, 'signed in': requireSignedIn, anyone: undefined } as const

const createStandalonePage = <const Path extends PagePath>(path: Path, guard: keyof typeof STANDALONE_GUARDS) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: COMPONENTS[path],
    ...(guard === 'anyone' ? {} : { beforeLoad: STANDALONE_GUARDS[guard] }),
  })

const createPage = <const Path extends PagePath>(path: Path, { capability, hasPast }: PageDefinition) => {
  const isOfDay = keepDay(hasPast === true)
  const isAllowed = capability === undefined ? undefined : requireCapability(capability)
  return createRoute({
    getParentRoute: () => signedIn,
    path,
    component: COMPONENTS[path],
    beforeLoad: async (context) => {
      await isOfDay(context)
      await isAllowed?.()
    },
  })
}

type StandalonePath = { [Path in PagePath]: (typeof PAGES)[Path] extends { standalone: string } ? Path : never }[PagePath]

const standalonePages = Object.fromEntries(
  PAGE_LIST.flatMap(([path, { standalone }]) => (standalone === undefined ? [] : [[path, createStandalonePage(path, standalone)]])),
) as unknown as { readonly [Path in StandalonePath]: ReturnType<typeof createStandalonePage<Path>> }

const pages = Object.fromEntries(
  PAGE_LIST.flatMap(([path, page]) => (page.standalone === undefined ? [[path, createPage(path, page)]] : [])),
) as unknown as { readonly [Path in Exclude<PagePath, StandalonePath>]: ReturnType<typeof createPage<Path>> }

export const routeTree = root.addChildren({ ...standalonePages, signedIn: signedIn.addChildren(pages) })
