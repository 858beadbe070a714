import { useCallback, useMemo } from 'react'

import type { SiteSummary } from '../../src/contract/references.ts'
import { toColumnsFilter } from '../../src/platform/web/list/column-filter-chips.tsx'
import { Chips, Filters, SearchField } from '../../src/platform/web/list/Filters.tsx'
import { ListTools } from '../../src/platform/web/list/ListTools.tsx'
import { RecordTable } from '../../src/platform/web/list/RecordTable.tsx'
import { useListSearch } from '../../src/platform/web/list/use-list-search.ts'
import { useTable } from '../../src/platform/web/list/use-table.ts'
import { getSiteKey, SiteGrid } from '../../src/records/sites/web/public/SiteCard.tsx'
import { SITE_COLUMNS, SITE_COPIES } from '../../src/records/sites/web/site-columns.tsx'

const CITIES = ['Lodi', 'Fresno', 'akron', 'Dayton', 'Galt', 'Zanesville', 'Ann Arbor', 'Madera']
const toId = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

/** Sites of an invented network; every third has no number, principal or charter. */
export const createSites = (count: number): SiteSummary[] =>
  Array.from({ length: count }, (_, at) => {
    const isWhole = at % 3 !== 2
    const name = `Site ${String(at).padStart(4, '0')}`
    return {
      _id: toId(at),
      slug: `site-${at}`,
      name,
      displayName: name,
      category: 'Resource Center',
      finance_id: isWhole ? String(4000 + at) : null,
      status: at % 5 === 4 ? 'CLOSED - PERMANENTLY' : 'ACTIVE',
      photo: null,
      address: {
        address_1: `${at} Main Street`,
        address_2: null,
        city: CITIES[at % CITIES.length] ?? null,
        state: 'CA',
        zip: String(93000 + at),
        phone: isWhole ? `661555${String(1000 + at)}` : null,
      },
      charter: isWhole
        ? { _id: toId(9000), slug: 'harbor', name: 'Harbor Charter', brand: toId(9001), brandName: 'Harbor', version: 1 }
        : null,
      region: { _id: toId(9002), slug: 'california', name: 'California' },
      principal: isWhole
        ? { _id: toId(5000 + at), slug: `person-${at}`, name: `Person ${at}`, phone: null, email: `p${at}@network.test`, version: 1 }
        : null,
      vacant: isWhole ? [] : ['Principal'],
      version: 1,
      updatedAt: '2026-01-01T00:00:00.000Z',
      checkedAt: null,
    } satisfies SiteSummary
  })

interface SiteListProps {
  readonly sites: readonly SiteSummary[]
  /** The storage key of its view and columns. */
  readonly name?: string
}

/** A list as composed by pages: search field, tools, cards or table. */
export const SiteList = ({ sites, name = 'sites' }: SiteListProps) => {
  const table = useTable({ name, columns: SITE_COLUMNS, defaultView: 'cards' }, sites)
  const shown = useMemo(() => table.sortedRecords.filter(table.matchesColumns), [table.sortedRecords, table.matchesColumns])
  const listCandidates = useCallback(() => table.sortedRecords, [table.sortedRecords])
  return (
    <>
      <h1>Sites</h1>
      <Filters>
        <SearchField label="Search by name, address or city" typed={useListSearch()} />
        <Chips label="Filters">{toColumnsFilter(table).control}</Chips>
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="By name"
        onDownload={async () => {}}
        copies={SITE_COPIES}
        count={<p>{sites.length} sites</p>}
      />
      {table.view === 'table' ? (
        <RecordTable label="Sites" table={table} records={shown} getKey={getSiteKey} listCandidates={listCandidates} />
      ) : (
        <SiteGrid label="Sites" sites={shown} />
      )}
    </>
  )
}
