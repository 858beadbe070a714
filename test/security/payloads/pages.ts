import { PAGE_LIST } from '../../../src/contract/pages.ts'
import { fillPage, type PageRecords } from '../page-paths.ts'
import { idOf, type RecordSet } from './api-storage.ts'

type OfSet = (set: RecordSet) => readonly string[]

const typed = ({ payload }: RecordSet): string => encodeURIComponent(payload.text)

const paths = PAGE_LIST.map(([path]) => path)

/** What the page of a record shows if it is more than the page: its form, and its history. */
const FORM = ['', '?edit=1']
const HISTORY = [...FORM, '?history=1']
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  '/location/$slug': HISTORY,
  '/location/fac/$slug': FORM,
  '/location/enrollment/$slug': FORM,
  '/location/$slug/sis/$id': FORM,
  '/charterview/$id': HISTORY,
  '/charter_affair/$id': HISTORY,
  '/brandview/$id': HISTORY,
  '/staff/$slug': HISTORY,
}
/** Brands are shown by their id. */
const toPageRecords = ({ made }: RecordSet): PageRecords => ({
  ...Object.fromEntries([...made].map(([kind, { slug }]) => [kind, slug])),
  brand: made.get('brand')?._id ?? '',
})
const ofRecords = paths
  .filter((path) => /\$\w/.test(path) && !/^\/(region|sheets|import|assistant)\//.test(path))
  .map((route): [string, OfSet] => [route, (set) => (VIEWS[route] ?? ['']).map((view) => fillPage(route, toPageRecords(set)) + view)])

/** The pages that show one record, by route, for the records of a set. */
export const PAGES_OF_A_SET: Readonly<Record<string, OfSet>> = {
  ...Object.fromEntries(ofRecords),
  '/requests': (set) => [`/requests?state=all&request=${set.made.get('request')?._id}`],
  '/merge': (set) => [
    `/merge?kind=person&keep=${idOf(set, 'person')}&merge=${idOf(set, 'duplicate')}`,
    `/merge?kind=${typed(set)}&keep=${typed(set)}&merge=${typed(set)}`,
  ],
  '/deadlines': (set) => [`/deadlines?q=${typed(set)}`],
  '/activity': (set) => [`/activity?q=${typed(set)}`],
  '/audit': (set) => [`/audit?q=${typed(set)}&actor=${typed(set)}`],
  '/errors': (set) => [`/errors?q=${typed(set)}`],
  '/downloads': (set) => [`/downloads?export=${typed(set)}`],
  '/add_staff': (set) => [`/add_staff?q=${set.word}`],
  '/settings': () => ['/settings'],
  '/locations': (set) => [
    `/locations?q=${typed(set)}&type=${typed(set)}&region=${typed(set)}&status=${typed(set)}&sort=${typed(set)}`,
    `/locations?on=${typed(set)}`,
  ],
  // Previews and a request that do not exist: their pages say so, or lead to /404, as those below do.
  '/import/$id': (set) => [`/import/${typed(set)}`],
  '/sheets/$id': (set) => [`/sheets/${typed(set)}`],
  '/assistant/$id': (set) => [`/assistant/${typed(set)}`],
  // Payloads in the URL itself; last, since a missing record leads to /404 after a moment.
  '/$': (set) => [`/${typed(set)}`, `/location/${typed(set)}`, `/charter/${typed(set)}?edit=${typed(set)}`],
}

/** Pages without a session. */
export const PAGES_OUTSIDE: Readonly<Record<string, OfSet>> = {
  '/login': (set) => [`/login?auth=fail${typed(set)}`, `/login?to=${typed(set)}`],
}

const otherPages = paths.filter((path) => !path.includes('$') && !(path in PAGES_OF_A_SET) && !(path in PAGES_OUTSIDE))
const LIST = ['?show=cards', '?show=table']

/** The pages that show many records, and those that show none: each as it opens, unless it has several views. */
export const PAGES_OF_ALL: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(otherPages.map((path) => [path, [path]])),
  '/region/$id': ['/region/california', '/region/california?show=table'],
  '/region/$id/org': ['/region/california/org'],
  '/region/$id/calls': ['/region/california/calls'],
  '/regions': ['/regions', '/regions?show=table'],
  '/coverage': ['/coverage', '/coverage?show=table'],
  ...Object.fromEntries(
    ['/charters', '/brand', '/locations', '/staff', '/leadership', '/support'].map((path) => [path, LIST.map((view) => path + view)]),
  ),
  '/deadlines': ['/deadlines', '/deadlines?view=month', '/deadlines?view=year', '/deadlines?view=sort-out'],
  '/requests': ['/requests', '/requests?state=all'],
  '/errors': ['/errors', '/errors?aside=1&days=90'],
  '/activity': ['/activity'],
  '/downloads': ['/downloads'],
  '/audit': ['/audit'],
}

/** The pages of the app that are missing above. */
export const findUnvisitedRoutes = (): string[] =>
  paths.filter((path) => ![PAGES_OF_A_SET, PAGES_OF_ALL, PAGES_OUTSIDE].some((pages) => path in pages))
