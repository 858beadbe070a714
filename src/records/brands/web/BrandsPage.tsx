import { IconBuildingEstate } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { formatCount } from '../../../contract/format.ts'
import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { isActive, isClosed, isInStatusGroup } from '../../../contract/status.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { BulkActions } from '../../../features/record-tools/changesets/web/public/BulkActions.tsx'
import { ViewMenu } from '../../../features/record-tools/saved-views/web/public/ViewMenu.tsx'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import { ChoosingList } from '../../../platform/web/list/ChoosingList.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { GroupToggles } from '../../../platform/web/list/GroupToggles.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { CardSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { ListTools } from '../../../platform/web/list/ListTools.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { GROUP_PHRASES } from '../../../platform/web/list/plain-words.ts'
import { RecordTable } from '../../../platform/web/list/RecordTable.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { usePlainWords } from '../../../platform/web/list/use-plain-words.ts'
import { useSelection } from '../../../platform/web/list/use-selection.ts'
import { useStatusGroup } from '../../../platform/web/list/use-status-group.ts'
import { useTable } from '../../../platform/web/list/use-table.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import type { Brand } from '../contract.ts'
import { BRAND_LIST } from '../list.ts'
import { BRAND_COLUMNS, BRAND_COPIES } from './brand-columns.tsx'
import { useBrands } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from '../../../platform/web/list/Card.module.css'

const NO_BRANDS: readonly Brand[] = []
const getKey = ({ _id }: Brand): string => _id
const TABLE_OPTIONS = { name: 'brands', columns: BRAND_COLUMNS, defaultView: 'cards' } as const
const { getSearchTexts } = BRAND_LIST
const getCardHeight = (_width: number, rem: number) => 7.25 * rem

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

const BrandCard = ({ brand }: { brand: Brand }) => (
  <article className={`${layoutClasses.card} ${classes.card} ${classes.row}`}>
    <BrandMark name={brand.brandName} icon={brand.brandIcon} size={44} />
    <div className={layoutClasses.fillingColumn}>
      <Link to="/brand/$id" params={{ id: brand._id }} className={classes.name}>
        <span>{brand.brandName}</span>
      </Link>
      <p className={`${textClasses.detail} ${textClasses.truncated} ${classes.line}`}>{formatCharterCount(brand)}</p>
      <StatusWord status={brand.status} />
    </div>
  </article>
)

const getLines = (brand: Brand) => [brand.brandName, formatCharterCount(brand)] as const
const GAP = [16, 12] as const
const renderCard = (brand: Brand) => <BrandCard brand={brand} />

/** `/brand` and `/brands`: the list of brands, active ones by default. */
export const BrandsPage = () => {
  const query = useBrands()
  const [, change] = useSearchParams()
  const [group, setGroup] = useStatusGroup()

  const brands = useMemo(() => sortByDefault(BRAND_LIST, query.data ?? NO_BRANDS), [query.data])
  const typed = useListSearch(usePlainWords(GROUP_PHRASES, brands, getSearchTexts))
  const table = useTable(TABLE_OPTIONS, brands)
  const found = useMatchingRecords(table.sortedRecords, getSearchTexts, typed.deferredText)
  const shown = useMemo(() => found.filter((brand) => isInStatusGroup(group, brand.status)), [found, group])
  const downloadQuery = { list: 'brands', filters: { status: group }, search: typed.deferredText, sort: table.sort } as const
  const download = useListDownload(downloadQuery)

  const selection = useSelection('brands', shown, getKey, useCan('manage the network'))
  const bulk = <BulkActions kind="brand" noun={RECORD_NOUNS.brand} selection={selection} columns={table.shownColumns} />
  if (selection?.isChoosing)
    return (
      <>
        <ChoosingList title="Select brands" shown={shown} all={brands.length} selection={selection} getKey={getKey} getLines={getLines} />
        {bulk}
      </>
    )
  return (
    <>
      <ListHead title="Brands" summary={query.data && formatBrandCounts(query.data)} failed={query.isError} aside={<ViewMenu />} />
      <Filters>
        <SearchField label="Search by brand name" typed={typed} />
        <GroupToggles active="Active" closed="Closed" group={group} onChange={setGroup} />
      </Filters>
      <ListTools
        table={table}
        shown={shown}
        defaultOrderLabel="Active brands first"
        onDownload={download}
        copies={BRAND_COPIES}
        selection={selection}
        editable={selection && { kind: 'brand', noun: RECORD_NOUNS.brand, shown, total: query.data?.length, request: downloadQuery }}
      >
        <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      </ListTools>
      <LoadedList query={query} skeleton={<CardSkeleton least={17} />}>
        {() =>
          shown.length > 0 ? (
            table.view === 'table' ? (
              <RecordTable label="Brands" table={table} records={shown} getKey={getKey} selection={selection} />
            ) : (
              <CardGrid label="Brands" records={shown} getKey={getKey} minWidthRem={17} gap={GAP} getHeight={getCardHeight}>
                {renderCard}
              </CardGrid>
            )
          ) : (
            <NothingMatches
              icon={IconBuildingEstate}
              title="No brands to display"
              noun={RECORD_NOUNS.brand}
              all={brands.length}
              typed={typed.deferredText.trim()}
              kind={group === 'all' ? null : group}
              filters={[]}
              hidden={found.map(({ brandName, _id }) => ({ name: brandName, to: getRecordPath({ kind: 'brand', _id }) }))}
              onClearSearch={() => change({ q: undefined, status: 'all' })}
              onClearFilter={() => setGroup('all')}
            />
          )
        }
      </LoadedList>
      {bulk}
    </>
  )
}
