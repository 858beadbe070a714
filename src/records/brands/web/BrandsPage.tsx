import { IconBuildingEstate } from '@tabler/icons-react'

import { formatCount } from '../../../contract/format.ts'
import { buildStatusGroupFilter } from '../../../contract/lists.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { isActive, isClosed } from '../../../contract/status.ts'
import { RecordCard } from '../../../platform/web/list/RecordCard.tsx'
import { useStatusGroupFilter } from '../../../platform/web/list/status-group-filter.tsx'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { useListed } from '../../pages/web/public/use-listed.ts'
import { type ListedKind, useRecordList } from '../../pages/web/public/use-record-list.ts'
import { type Brand, listBrands } from '../contract.ts'
import { BRAND_LIST } from '../list.ts'
import { BRAND_COLUMNS, BRAND_COPIES } from './brand-columns.tsx'
import { BrandMark } from './public/BrandMark.tsx'

const formatBrandCounts = (brands: readonly Brand[]): string => {
  const closed = brands.filter((brand) => isClosed(brand.status)).length
  return `${brands.length} ${brands.length === 1 ? 'brand' : 'brands'}: ${brands.length - closed} active, ${closed} closed`
}

const formatCharterCount = ({ charters }: Brand): string => {
  const active = charters.filter((charter) => isActive(charter.status)).length
  if (charters.length === 0) return 'No charters'
  const many = formatCount(charters.length, 'charter')
  return active === charters.length ? many : `${many}, ${active.toLocaleString('en-US')} active`
}

const getBrandPath = ({ _id }: Brand): string => getRecordPath({ kind: 'brand', _id })

const BRANDS: ListedKind<Brand> = {
  kind: 'brand',
  list: BRAND_LIST,
  getPath: getBrandPath,
  formatSummary: formatBrandCounts,
  searchLabel: 'Search by brand name',
  card: {
    minWidthRem: 17,
    gap: [16, 12],
    getHeight: (_width, rem) => 7.25 * rem,
    renderCard: (brand) => (
      <RecordCard
        mark={<BrandMark name={brand.brandName} icon={brand.brandIcon} size={44} />}
        name={brand.brandName}
        to={getBrandPath(brand)}
        lines={[formatCharterCount(brand)]}
        status={brand.status}
      />
    ),
  },
  table: {
    columns: BRAND_COLUMNS,
    copies: BRAND_COPIES,
    orderLabel: 'Active brands first',
    getLines: (brand) => [brand.brandName, formatCharterCount(brand)],
  },
  icon: IconBuildingEstate,
  emptyTitle: 'No brands to display',
}

/** `/brand` and `/brands`: the list of brands, active ones by default. */
export const BrandsPage = () => {
  const list = useRecordList(BRANDS, {
    query: useListed(listBrands),
    name: 'brands',
    isWhole: true,
    hasArchived: true,
    filters: { status: useStatusGroupFilter() },
    buildFilter: buildStatusGroupFilter,
    toRequest: (filters) => ({ list: 'brands', filters }),
  })
  return <RecordListView list={list} title="Brands" />
}
