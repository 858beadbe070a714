import type { Capability } from './capabilities.ts'

export type MenuSection = 'Locations' | 'Staff' | 'Management'

/** A page of the app. `src/app/pages.web.tsx` has its component; router, menu, search, usage statistics and back links use this definition. */
export interface PageDefinition {
  readonly name: string
  /** Users without it are redirected to the home page, and neither menu nor search shows them the page. */
  readonly capability?: Capability
  /** A page without menu and top bar, for users who are signed out, in, or either; all others are inside the frame, and need a session. */
  readonly standalone?: 'signed out' | 'signed in' | 'anyone'
  /** The menu section that contains its entry. Entries appear in the order of this list. */
  readonly menuSection?: MenuSection
  /** The menu entry that is highlighted while this page is open. */
  readonly parent?: string
  /** The menu section that is open on this page, if it has no entry of its own. */
  readonly opensSection?: MenuSection
  /** Of a page with a part of a record: its name in the search, after that of the record, which is found by the other words. */
  readonly partName?: string
  /** The search offers it with every record that it finds. */
  readonly isOffered?: true
  /** Additional words by which the search finds it; a page without them is not found. */
  readonly searchWords?: string
  /** Its name in the search, if different. */
  readonly searchName?: string
  /** The search labels it as an action. */
  readonly isAction?: boolean
  /** Its filters can be saved as a view, as those of all lists of records can. */
  readonly hasViews?: true
  /** It can show a past day (`?on=2026-03-01`). */
  readonly hasPast?: true
  /** Back links to it show its name. Pages of records set their own with `nameCurrentPage`. */
  readonly isBackTarget?: boolean
}

/** Every page by its path. Parameters are written as `$id`. */
export const PAGES = {
  '/': { name: 'Home', searchWords: 'start favorites favourites recently viewed', isBackTarget: true },
  '/login': { name: 'Sign-in', standalone: 'signed out' },
  /** The last page of the window that a form opens for signing in again. */
  '/signed-in-again': { name: 'Signed in again', standalone: 'signed in' },

  /** An assistant asks to be let in. */
  '/assistant/$id': { name: 'Let an assistant in', standalone: 'signed in' },

  /** For anyone who has a dossier, also without an account. */
  '/verify': { name: 'Verify a dossier', standalone: 'anyone' },

  '/locations': {
    hasPast: true,
    name: 'Resource Centers',
    menuSection: 'Locations',
    searchWords: 'sites locations centers list',
    isBackTarget: true,
  },
  '/location/$slug': { hasPast: true, name: 'One resource center', parent: '/locations' },
  '/location/fac/$slug': {
    hasPast: true,
    name: 'Facility of a resource center',
    parent: '/locations',
    partName: 'Facility',
    searchWords: 'facility lease',
  },
  '/location/staff/$slug': {
    hasPast: true,
    name: 'Staff of a resource center',
    parent: '/locations',
    partName: 'Staff',
    searchWords: 'staff people',
    isOffered: true,
  },
  '/location/enrollment/$slug': {
    hasPast: true,
    name: 'Enrollment of a resource center',
    parent: '/locations',
    partName: 'Enrollment',
    searchWords: 'enrollment enrolment orientation',
    isOffered: true,
  },
  '/location/$slug/sis': { hasPast: true, name: 'SIS of a resource center', parent: '/locations', partName: 'SIS', searchWords: 'sis' },
  '/location/$slug/sis/$id': { hasPast: true, name: 'One SIS site', capability: 'open a SIS site', parent: '/locations' },

  '/charters': { hasPast: true, name: 'Charters', menuSection: 'Locations', searchWords: 'schools student count', isBackTarget: true },
  '/charter/$id': { hasPast: true, name: 'Sites of a charter', parent: '/charters' },
  '/charterview/$id': { hasPast: true, name: 'One charter', parent: '/charters' },
  '/charter/$id/dossier': { name: 'Dossier of a charter', capability: 'read a charter affair', parent: '/charters' },
  '/charter_affair/$id': { hasPast: true, name: 'Charter affair', capability: 'read a charter affair', parent: '/charters' },

  '/brand': { hasPast: true, name: 'Brands', menuSection: 'Locations', searchWords: '', isBackTarget: true },
  '/brands': { hasPast: true, name: 'Brands', parent: '/brand', hasViews: true, isBackTarget: true },
  '/brand/$id': { hasPast: true, name: 'Charters of a brand', parent: '/brand' },
  '/brandview/$id': { hasPast: true, name: 'One brand', parent: '/brand' },

  '/regions': { hasPast: true, name: 'Regions & States', menuSection: 'Locations', searchWords: 'map states region', isBackTarget: true },
  '/region/$id': { hasPast: true, name: 'One region' },
  '/region/$id/org': { hasPast: true, name: 'Org chart of a region' },
  '/region/$id/calls': { hasPast: true, name: 'Call list of a region' },

  '/staff': {
    hasPast: true,
    name: 'All Staff',
    menuSection: 'Staff',
    searchWords: 'everyone employees teachers people phone list directory',
    isBackTarget: true,
    hasViews: true,
  },
  '/leadership': { hasPast: true, name: 'Leadership', menuSection: 'Staff', searchWords: 'staff principals people', isBackTarget: true },
  '/support': {
    hasPast: true,
    name: 'Student Support',
    menuSection: 'Staff',
    searchWords: 'staff counselors registrars people',
    hasViews: true,
    isBackTarget: true,
  },
  '/coverage': {
    hasPast: true,
    name: 'Coverage',
    menuSection: 'Staff',
    searchWords: 'board empty places vacancies roles who holds what',
    hasViews: true,
    isBackTarget: true,
  },
  '/reorganize': {
    name: 'Reorganize',
    capability: 'manage the network',
    parent: '/coverage',
    searchWords: 'give sites to someone else move roles swap people fill vacant positions',
    isAction: true,
  },
  '/staff/$slug': { hasPast: true, name: 'One person', opensSection: 'Staff' },

  '/addbrand': {
    name: 'Add Brand',
    capability: 'manage the network',
    menuSection: 'Management',
    searchWords: 'new brand create',
    isAction: true,
  },
  '/addcharter': {
    name: 'Add Charter',
    capability: 'manage the network',
    menuSection: 'Management',
    searchWords: 'new charter create school',
    isAction: true,
  },
  '/add_staff': {
    name: 'Add Staff Member',
    capability: 'manage the network',
    menuSection: 'Management',
    searchWords: 'new person staff employee hire hr people create',
    isAction: true,
  },
  '/add_location': {
    name: 'Add Resource Center',
    capability: 'edit a site',
    menuSection: 'Management',
    searchWords: 'new site create location',
    isAction: true,
  },
  '/planned': {
    name: 'Planned Changes',
    capability: 'manage the network',
    menuSection: 'Management',
    searchWords: 'later day scheduled coming waiting save for later',
    isBackTarget: true,
  },
  '/duplicates': {
    name: 'Duplicates',
    capability: 'manage the network',
    menuSection: 'Management',
    searchWords: 'duplicate records merge twice same double combine',
    isBackTarget: true,
  },
  '/merge': { name: 'Merge two records', capability: 'manage the network', parent: '/duplicates' },
  '/permissions': {
    name: 'Permissions',
    capability: 'manage administrators',
    menuSection: 'Management',
    searchWords: 'administrators admins access levels make admin remove admin',
  },
  '/import': {
    name: 'Import',
    capability: 'import files',
    menuSection: 'Management',
    searchWords: 'upload file csv xlsx excel directory staff list charters sites bring in own data',
    isAction: true,
    isBackTarget: true,
  },
  '/import/$id': { name: 'One import', capability: 'import files', parent: '/import' },
  '/setup': {
    name: 'Setup',
    capability: 'set up the program',
    menuSection: 'Management',
    searchWords: 'set up start own records sample first steps organization sign-in mail doctor',
    isBackTarget: true,
  },
  '/settings': {
    name: 'Settings',
    capability: 'change the settings',
    menuSection: 'Management',
    searchWords: 'defaults program types requests organization',
  },
  '/accounts': {
    name: 'Sign-ins',
    capability: 'end anyone’s sessions',
    menuSection: 'Management',
    searchWords: 'accounts sessions devices api tokens who signed in end',
    isBackTarget: true,
  },
  '/accounts/$id': { name: 'Sign-ins of one person', capability: 'end anyone’s sessions', parent: '/accounts' },
  '/webhooks': {
    name: 'Webhooks',
    capability: 'manage webhooks',
    menuSection: 'Management',
    searchWords: 'events integrations programs deliveries channels teams slack messages',
    isBackTarget: true,
  },
  '/webhooks/$id': { name: 'One webhook', capability: 'manage webhooks', parent: '/webhooks' },
  '/usage': {
    name: 'Usage',
    capability: 'see usage',
    menuSection: 'Management',
    searchWords: 'page views statistics analytics visitors',
  },
  '/errors': {
    name: 'Error Log',
    capability: 'see the error log',
    menuSection: 'Management',
    searchWords: 'errors failures defects bugs log stack',
  },
  '/audit': {
    name: 'Audit Trail',
    capability: 'read the audit trail',
    menuSection: 'Management',
    searchWords: 'who did what security log events sign-ins grants downloads siem',
  },
  '/searches': {
    name: 'Searches Without Results',
    capability: 'see searches without results',
    menuSection: 'Management',
    searchWords: 'vain misses found nothing',
  },

  '/deadlines': {
    name: 'Deadlines',
    searchWords: 'due dates calendar petition expiration oversight lease overdue agenda',
    hasViews: true,
    isBackTarget: true,
  },
  '/insights': {
    name: 'Insights',
    searchWords: 'charts pictures statistics figures trends growth vacancies leases students history dashboard report metabase',
    isBackTarget: true,
  },
  '/downloads': { name: 'Excel Downloads', searchWords: 'export exports xlsx spreadsheet workbook file' },
  '/requests': { name: 'Requests', searchWords: 'my requests change changes support asked answered declined inbox', isBackTarget: true },
  '/requests/$id': { name: 'One suggestion', parent: '/requests' },
  '/activity': { name: 'Activity', searchWords: 'changes history who changed what latest news log', isBackTarget: true },
  '/sheets/$id': { name: 'Changes of a sheet', capability: 'manage the network' },
  '/changes/$id': { name: 'Changes that were saved as one', capability: 'read a history', parent: '/activity' },
  '/account': {
    name: 'Account',
    searchName: 'My account',
    searchWords: 'profile sessions devices sign out everywhere api tokens keys access level',
  },
  '/help': { name: 'Help', searchWords: 'help guide manual how instructions', isBackTarget: true },
  '/help/$guide': { name: 'A guide of the help', parent: '/help' },
  '/404': { name: 'Page could not be found' },
  /** All unknown paths. */
  '/$': { name: 'Page could not be found' },
} as const satisfies Record<string, PageDefinition>

/** A page without parameters. */
export type PlainPath = Exclude<PagePath, `${string}$${string}`>
export type PagePath = keyof typeof PAGES

/** The same pages, less precisely typed. */
export const PAGE_LIST: readonly (readonly [path: PagePath, page: PageDefinition])[] = Object.entries(PAGES) as [PagePath, PageDefinition][]

/** The path of a page that shows one record, by the record's slug or `_id`. */
export const buildPagePath = (page: PagePath, key: string): string => page.replace(/\$\w+/, encodeURIComponent(key))

/** The definition of a page; undefined for any other path. */
export const findPage = (path: string): PageDefinition | undefined => (Object.hasOwn(PAGES, path) ? PAGES[path as PagePath] : undefined)
