import { PAGE_LIST } from '../../../src/contract/pages.ts'
import type { RecordSet } from './api-storage.ts'

type OfSet = (set: RecordSet) => readonly string[]

const at = (set: RecordSet, kind: string): string => encodeURIComponent(set.made.get(kind)?.slug ?? 'missing')
const typed = ({ payload }: RecordSet): string => encodeURIComponent(payload.text)
/** The page, its form, and its history. */
const open = (page: string): string[] => [page, `${page}?edit=1`, `${page}?history=1`]
const idOf = (set: RecordSet, kind: string): string => set.made.get(kind)?._id ?? 'missing'
const form = (page: string): string[] => [page, `${page}?edit=1`]

/** The pages that show one record, by route, for the records of a set. */
export const PAGES_OF_A_SET: Readonly<Record<string, OfSet>> = {
  '/location/$slug': (set) => open(`/location/${at(set, 'site')}`),
  '/location/fac/$slug': (set) => form(`/location/fac/${at(set, 'site')}`),
  '/location/enrollment/$slug': (set) => form(`/location/enrollment/${at(set, 'site')}`),
  '/location/staff/$slug': (set) => [`/location/staff/${at(set, 'site')}`],
  '/location/$slug/sis': (set) => [`/location/${at(set, 'site')}/sis`],
  '/location/$slug/sis/$id': (set) => form(`/location/${at(set, 'site')}/sis/${at(set, 'sis')}`),
  '/charter/$id': (set) => [`/charter/${at(set, 'charter')}`],
  '/charterview/$id': (set) => open(`/charterview/${at(set, 'charter')}`),
  '/charter_affair/$id': (set) => open(`/charter_affair/${at(set, 'charter')}`),
  '/brand/$id': (set) => [`/brand/${set.made.get('brand')?._id}`],
  '/brandview/$id': (set) => open(`/brandview/${set.made.get('brand')?._id}`),
  '/staff/$slug': (set) => open(`/staff/${at(set, 'person')}`),
  '/accounts/$id': (set) => [`/accounts/${at(set, 'account')}`],
  '/requests': (set) => [`/requests?state=all&request=${at(set, 'request')}`],
  '/requests/$id': (set) => [`/requests/${idOf(set, 'proposal')}`],
  '/changes/$id': (set) => [`/changes/${idOf(set, 'changeset')}`],
  '/webhooks/$id': (set) => [`/webhooks/${idOf(set, 'webhook')}`],
  '/deadlines': (set) => [`/deadlines?q=${typed(set)}`],
  '/activity': (set) => [`/activity?q=${typed(set)}`],
  '/audit': (set) => [`/audit?q=${typed(set)}&actor=${typed(set)}`],
  '/errors': (set) => [`/errors?q=${typed(set)}`],
  '/downloads': (set) => [`/downloads?export=${typed(set)}`],
  '/add_staff': (set) => [`/add_staff?q=${set.word}`],
  '/settings': () => ['/settings'],
  '/locations': (set) => [`/locations?q=${typed(set)}&type=${typed(set)}&region=${typed(set)}&status=${typed(set)}&sort=${typed(set)}`],
  // A preview that does not exist: its page leads to /404, as those below do.
  '/sheets/$id': (set) => [`/sheets/${typed(set)}`],
  // Payloads in the URL itself; last, since a missing record leads to /404 after a moment.
  '/$': (set) => [`/${typed(set)}`, `/location/${typed(set)}`, `/charter/${typed(set)}?edit=${typed(set)}`],
}

/** The pages that show many records, and those that show none. */
export const PAGES_OF_ALL: Readonly<Record<string, readonly string[]>> = {
  '/': ['/'],
  '/regions': ['/regions', '/regions?show=table'],
  '/region/$id': ['/region/california', '/region/california?show=table'],
  '/region/$id/org': ['/region/california/org'],
  '/region/$id/calls': ['/region/california/calls'],
  '/charters': ['/charters?show=cards', '/charters?show=table'],
  '/brand': ['/brand?show=cards', '/brand?show=table'],
  '/brands': ['/brands'],
  '/locations': ['/locations?show=cards', '/locations?show=table'],
  '/add_location': ['/add_location'],
  '/addbrand': ['/addbrand'],
  '/addcharter': ['/addcharter'],
  '/leadership': ['/leadership?show=cards', '/leadership?show=table'],
  '/support': ['/support?show=cards', '/support?show=table'],
  '/coverage': ['/coverage', '/coverage?show=table'],
  '/deadlines': ['/deadlines', '/deadlines?view=month', '/deadlines?view=year', '/deadlines?view=sort-out'],
  '/reorganize': ['/reorganize'],
  '/planned': ['/planned'],
  '/webhooks': ['/webhooks'],
  '/activity': ['/activity'],
  '/downloads': ['/downloads'],
  '/requests': ['/requests', '/requests?state=all'],
  '/permissions': ['/permissions'],
  '/searches': ['/searches'],
  '/usage': ['/usage'],
  '/audit': ['/audit'],
  '/errors': ['/errors', '/errors?aside=1&days=90'],
  '/account': ['/account'],
  '/accounts': ['/accounts'],
  '/404': ['/404'],
  '/signed-in-again': ['/signed-in-again'],
}

/** Pages without a session. */
export const PAGES_OUTSIDE: Readonly<Record<string, OfSet>> = {
  '/login': (set) => [`/login?auth=fail${typed(set)}`, `/login?to=${typed(set)}`],
}

/** The pages of the app that are missing above. */
export const findUnvisitedRoutes = (): string[] => {
  const known = new Set([PAGES_OF_A_SET, PAGES_OF_ALL, PAGES_OUTSIDE].flatMap((pages) => Object.keys(pages)))
  return PAGE_LIST.map(([path]) => path).filter((path) => !known.has(path))
}
