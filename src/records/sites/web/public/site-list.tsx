import { IconBuilding } from '@tabler/icons-react'

import { formatCount, formatNumber } from '../../../../contract/format.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import type { SiteSummary } from '../../../../contract/references.ts'
import { isClosed, isPending } from '../../../../contract/status.ts'
import type { ListedKind } from '../../../pages/web/public/use-record-list.ts'
import { listSites } from '../../contract.ts'
import { SITE_LIST } from '../../list.ts'
import { SITE_CALL_LIST, SITE_COLUMNS, SITE_COPIES } from '../site-columns.tsx'
import { SITE_CARD_SIZES, SiteCard } from './SiteCard.tsx'

const formatSiteCounts = (sites: readonly SiteSummary[]): string => {
  const closed = sites.filter((site) => isClosed(site.status)).length
  const soon = sites.filter((site) => isPending(site.status)).length
  // The same groups as the filters: a site that is coming soon counts as active.
  const active = `${formatNumber(sites.length - closed)} active${soon === 0 ? '' : ` (${formatNumber(soon)} coming soon)`}`
  return `${formatCount(sites.length, 'site')}: ${active}, ${formatNumber(closed)} closed`
}

/** How sites are listed: all of them, or those of a region. */
export const SITES: ListedKind<SiteSummary> = {
  kind: 'site',
  list: SITE_LIST,
  details: listSites,
  getPath: ({ slug }) => getRecordPath({ kind: 'site', slug }),
  formatSummary: formatSiteCounts,
  searchLabel: 'Search by name, address or city',
  card: { ...SITE_CARD_SIZES, hasPhoto: true, renderCard: (site) => <SiteCard site={site} /> },
  table: {
    columns: SITE_COLUMNS,
    copies: SITE_COPIES,
    orderLabel: 'Active sites first',
    callList: SITE_CALL_LIST,
    getLines: ({ displayName, address: { city, state }, principal, vacant }) => [
      displayName,
      [city, state].filter(Boolean).join(', '),
      principal ? `Principal: ${principal.name}` : vacant.includes('Principal') ? 'Principal: Vacant' : null,
    ],
    // The principal's.
    getEmail: ({ principal }) => principal?.email ?? null,
  },
  icon: IconBuilding,
  emptyTitle: 'No locations to display',
}
