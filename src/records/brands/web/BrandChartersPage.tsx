import { IconListDetails, IconSchool } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'

import { formatCount, formatNumber } from '../../../contract/format.ts'
import { buildStatusGroupFilter } from '../../../contract/lists.ts'
import { getRecordFormPath, getRecordPath } from '../../../contract/records.ts'
import type { CharterSummary } from '../../../contract/references.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadLink } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { StatusBadge } from '../../../platform/web/kit/StatusBadge.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { RecordCard } from '../../../platform/web/list/RecordCard.tsx'
import { useStatusGroupFilter } from '../../../platform/web/list/status-group-filter.tsx'
import { DeadlinesCard } from '../../../platform/web/record-features.tsx'
import { RecordListView } from '../../pages/web/public/RecordListView.tsx'
import { RecordPage } from '../../pages/web/public/RecordPage.tsx'
import { type ListedKind, useRecordList } from '../../pages/web/public/use-record-list.ts'
import type { Brand } from '../contract.ts'
import { brandHistory } from '../history.ts'
import { BRAND_CHARTERS_LIST } from '../list.ts'
import { BrandSkeleton } from './BrandSkeleton.tsx'
import { BrandMark } from './public/BrandMark.tsx'
import { useBrand } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Brand.module.css'

const formatStudents = ({ studentCount }: CharterSummary): string =>
  studentCount === null ? 'No student count' : formatCount(studentCount, 'student')

const formatSites = ({ siteCount, activeSiteCount }: CharterSummary): string => {
  if (siteCount === 0) return 'No sites'
  const all = formatCount(siteCount, 'site')
  return activeSiteCount === siteCount ? all : `${all}, ${formatNumber(activeSiteCount)} active`
}

const getCharterPath = ({ slug }: CharterSummary): string => getRecordPath({ kind: 'charter', slug })

const CHARTERS: ListedKind<CharterSummary> = {
  kind: 'charter',
  list: BRAND_CHARTERS_LIST,
  getPath: getCharterPath,
  searchLabel: 'Name or abbreviation',
  card: {
    minWidthRem: 17,
    gap: [16, 12],
    getHeight: (_width, rem) => 8.75 * rem,
    renderCard: (charter) => (
      <RecordCard
        name={charter.name}
        to={getCharterPath(charter)}
        lines={[[charter.abbreviation, formatStudents(charter)].filter(Boolean).join(' · '), formatSites(charter)]}
        status={charter.status}
      />
    ),
  },
  icon: IconSchool,
  emptyTitle: 'No charters to display',
}

/** The charters of the brand, active ones by default. */
const Charters = ({ brand }: { brand: Brand }) => {
  const list = useRecordList(CHARTERS, {
    query: { data: brand.charters },
    name: 'brand-charters',
    // Every word that is typed here is searched for.
    filters: { status: { ...useStatusGroupFilter(), phrases: [] } },
    buildFilter: buildStatusGroupFilter,
    toRequest: (filters) => ({ list: 'brand_charters', of: brand._id, filters }),
  })
  return (
    <section aria-labelledby="charters" className={`${layoutClasses.sectionStart} ${classes.charters}`}>
      <RecordListView
        list={list}
        title={`Charters of ${brand.brandName}`}
        head={
          <h2 id="charters" className={textClasses.sectionTitle}>
            Charters <span className={textClasses.count}>{formatNumber(brand.charters.length)}</span>
          </h2>
        }
        hasTools={brand.charters.length > 0}
      />
    </section>
  )
}

/** `/brand/{id}`: a brand and its charters. */
export const BrandChartersPage = () => {
  const { id = '' } = useParams({ strict: false })
  return (
    <RecordPage
      kind="brand"
      query={useBrand(id)}
      getName={({ brandName }) => brandName}
      history={brandHistory}
      renderBack={() => <BackLink to="/brand" label="Brands" />}
      skeleton={<BrandSkeleton />}
      renderHead={(brand) => ({
        otherPage: (
          <HeadLink icon={IconListDetails} to={getRecordFormPath({ kind: 'brand', _id: brand._id })}>
            View Brand
          </HeadLink>
        ),
        line: <StatusBadge status={brand.status} />,
        avatar: <BrandMark name={brand.brandName} icon={brand.brandIcon} />,
        facts: (
          <Facts
            variant="line"
            facts={[
              { label: 'Website', value: brand.websiteUrl && <WebLink address={brand.websiteUrl} /> },
              { label: 'Enrollments URL', value: brand.EnrollmentsUrl && <WebLink address={brand.EnrollmentsUrl} /> },
            ]}
          />
        ),
        // These are on the page with all fields.
        plannedPrefix: null,
        hasSuggestions: false,
      })}
    >
      {(brand) => (
        <>
          <Charters brand={brand} />
          <DeadlinesCard filter={{ brand: brand._id }} />
          <div className={layoutClasses.topMargin32}>
            <LastChanged updatedAt={brand.updatedAt} updatedBy={brand.updatedBy} />
          </div>
        </>
      )}
    </RecordPage>
  )
}
