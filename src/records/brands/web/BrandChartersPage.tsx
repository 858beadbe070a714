import { IconListDetails, IconSchool } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'

import { sortByDefault } from '../../../contract/lists.ts'
import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { isInStatusGroup } from '../../../contract/status.ts'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { DeadlinesCard } from '../../../features/record-tools/deadlines/web/public/DeadlinesCard.tsx'
import { FavoriteToggle } from '../../../features/record-tools/favorites/web/public/FavoriteToggle.tsx'
import { HistoryButton } from '../../../features/record-tools/history/web/public/HistoryButton.tsx'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { StatusBadge } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { GroupToggles } from '../../../platform/web/list/GroupToggles.tsx'
import { DownloadLine } from '../../../platform/web/list/ListTools.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { useMatchingRecords, useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { useStatusGroup } from '../../../platform/web/list/use-status-group.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { useTitle } from '../../../platform/web/title.ts'
import { useListDownload } from '../../list-download/web/queries.ts'
import type { Brand } from '../contract.ts'
import { brandHistory } from '../history.ts'
import { BRAND_CHARTERS_LIST } from '../list.ts'
import { BrandSkeleton } from './BrandSkeleton.tsx'
import { CharterSummaryGrid } from './CharterSummaryGrid.tsx'
import { useBrand } from './queries.ts'

import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Brand.module.css'

const { getSearchTexts } = BRAND_CHARTERS_LIST

/** The charters of the brand, active ones by default. */
const Charters = ({ brand }: { brand: Brand }) => {
  const [, change] = useSearchParams()
  const [group, setGroup] = useStatusGroup()
  const typed = useListSearch()
  const charters = useMemo(() => sortByDefault(BRAND_CHARTERS_LIST, brand.charters), [brand.charters])
  const found = useMatchingRecords(charters, getSearchTexts, typed.deferredText)
  const shown = useMemo(() => found.filter((charter) => isInStatusGroup(group, charter.status)), [found, group])
  const mayManage = useCan('manage the network')
  const downloadQuery = { list: 'brand_charters', of: brand._id, filters: { status: group }, search: typed.deferredText } as const
  const download = useListDownload(downloadQuery)
  return (
    <section aria-labelledby="charters" className={classes.charters}>
      <h2 id="charters">
        Charters <span className={textClasses.count}>{charters.length.toLocaleString('en-US')}</span>
      </h2>
      {charters.length > 0 ? (
        <>
          <Filters>
            <SearchField label="Name or abbreviation" typed={typed} />
            <GroupToggles active="Active" closed="Closed" group={group} onChange={setGroup} />
          </Filters>
          <DownloadLine
            isEmpty={shown.length === 0}
            onDownload={download}
            editable={mayManage ? { kind: 'charter', noun: RECORD_NOUNS.charter, shown, total: undefined, request: downloadQuery } : null}
          >
            <MatchCount matching={shown.length} all={charters.length} />
          </DownloadLine>
        </>
      ) : null}
      {shown.length > 0 ? (
        <CharterSummaryGrid label={`Charters of ${brand.brandName}`} charters={shown} />
      ) : (
        <NothingMatches
          icon={IconSchool}
          title="No charters to display"
          noun={RECORD_NOUNS.charter}
          all={charters.length}
          typed={typed.deferredText.trim()}
          kind={group === 'all' ? null : group}
          filters={[]}
          hidden={found.map(({ name, slug }) => ({ name, to: getRecordPath({ kind: 'charter', slug }) }))}
          onClearSearch={() => change({ q: undefined, status: 'all' })}
          onClearFilter={() => setGroup('all')}
        />
      )}
    </section>
  )
}

/** `/brand/{id}`: a brand and its charters. */
export const BrandChartersPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useBrand(id)
  useTitle(query.data?.brandName)
  const back = <BackLink to="/brand" label="Brands" />
  return (
    <LoadedRecord query={query} what="brand" back={back} skeleton={<BrandSkeleton />}>
      {(brand) => (
        <>
          <DetailHead
            back={back}
            actions={
              <>
                <FavoriteToggle kind="brand" _id={brand._id} />
                <HistoryButton kind="brand" parts={brandHistory} _id={brand._id} name={brand.brandName} />
              </>
            }
            mainAction={
              <HeadAction icon={IconListDetails} renderRoot={(props) => <Link to="/brandview/$id" params={{ id: brand._id }} {...props} />}>
                View Brand
              </HeadAction>
            }
            title={brand.brandName}
            line={<StatusBadge status={brand.status} />}
            avatar={<BrandMark name={brand.brandName} icon={brand.brandIcon} />}
            facts={
              <Facts
                variant="line"
                facts={[
                  { label: 'Website', value: brand.websiteUrl && <WebLink address={brand.websiteUrl} /> },
                  { label: 'Enrollments URL', value: brand.EnrollmentsUrl && <WebLink address={brand.EnrollmentsUrl} /> },
                ]}
              />
            }
          />
          <Charters brand={brand} />
          <DeadlinesCard filter={{ brand: brand._id }} />
          <div className={classes.changed}>
            <LastChanged updatedAt={brand.updatedAt} updatedBy={brand.updatedBy} />
          </div>
        </>
      )}
    </LoadedRecord>
  )
}
