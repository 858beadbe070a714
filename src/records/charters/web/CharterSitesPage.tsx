import { IconBuilding, IconFileText, IconListDetails } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

import { sortByDefault } from '../../../contract/lists.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { getRecordFormPath, getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { isClosed, isInStatusGroup } from '../../../contract/status.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { SUGGEST } from '../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { CallAction } from '../../../platform/web/kit/ContactActions.tsx'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import { EmptyKind } from '../../../platform/web/kit/EmptyLinks.tsx'
import { EmptyState } from '../../../platform/web/kit/EmptyState.tsx'
import { Facts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction, HeadLink, useIsInMenu } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { PrintButton } from '../../../platform/web/kit/PrintButton.tsx'
import { PrintLine } from '../../../platform/web/kit/PrintLine.tsx'
import { StatusBadge } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { Chips, FilterToggle, MatchCount } from '../../../platform/web/list/Filters.tsx'
import { DownloadLine } from '../../../platform/web/list/ListTools.tsx'
import { PrintedTable } from '../../../platform/web/list/PrintedTable.tsx'
import { DeadlinesCard } from '../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { BrandMark } from '../../brands/web/public/BrandMark.tsx'
import { useListDownload } from '../../list-download/web/queries.ts'
import { RecordPage } from '../../pages/web/public/RecordPage.tsx'
import { SITE_LIST } from '../../sites/list.ts'
import { getSiteKey, SiteGrid } from '../../sites/web/public/SiteCard.tsx'
import { SITES_SHEET } from '../../sites/web/site-columns.tsx'
import type { Charter, CharterWithSites } from '../contract.ts'
import { charterHistory } from '../history.ts'
import { CharterCheck } from './CharterCheck.tsx'
import { CharterSkeleton } from './CharterSkeleton.tsx'
import { useCharter } from './queries.ts'
import { StudentCount } from './StudentCount.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Charter.module.css'

/** A link to the charter affair: a button for editors, a plain link for readers; editors can create it if there is none. */
const AffairLink = ({ charter }: { charter: Pick<Charter, 'slug' | 'charter_affair_info'> }) => {
  const mayEdit = useCan('edit a charter affair')
  const mayRead = useCan('read a charter affair')
  const isInMenu = useIsInMenu()
  const isThere = charter.charter_affair_info.length > 0
  if (!mayRead || !(isThere || mayEdit)) return null
  const params = { id: charter.slug }
  const words = !isThere ? 'Create charter affair record' : mayEdit ? 'Charter Affair' : 'View charter affair'
  return isInMenu || (isThere && mayEdit) ? (
    <HeadAction icon={IconFileText} renderRoot={(props) => <Link to="/charter_affair/$id" params={params} {...props} />}>
      {words}
    </HeadAction>
  ) : (
    <TextLink to="/charter_affair/$id" params={params} className={`${textClasses.smallFont} ${classes.readAffair}`}>
      {words}
    </TextLink>
  )
}

const CharterFacts = ({ charter }: { charter: Charter }) => (
  <Facts
    variant="line"
    facts={[
      {
        label: 'Phone',
        isOnPhones: charter.charterContactnumber === null,
        value: (
          <span className={`${layoutClasses.gap6} ${classes.copied}`}>
            <PhoneLink phone={charter.charterContactnumber} variant="prominent" />
            {charter.charterContactnumber ? <CopyButton value={formatPhone(charter.charterContactnumber)} what="phone number" /> : null}
          </span>
        ),
      },
      { label: 'Students', value: <StudentCount charter={charter} isProminent /> },
      { label: 'Website', value: charter.charterWebsite && <WebLink address={charter.charterWebsite} /> },
    ]}
  />
)

/** The sites of the charter: all, or the active or closed ones (`?status=`). */
const Sites = ({ charter }: { charter: CharterWithSites }) => {
  const [{ status }, change] = useSearchParams()
  const sites = useMemo(() => sortByDefault(SITE_LIST, charter.sites), [charter.sites])
  const active = sites.filter((site) => isInStatusGroup('active', site.status))
  const closed = sites.filter((site) => isInStatusGroup('closed', site.status))
  const mixed = active.length > 0 && closed.length > 0
  const group: 'active' | 'closed' | undefined = mixed && (status === 'active' || status === 'closed') ? status : undefined
  const shown = group === 'active' ? active : group === 'closed' ? closed : sites
  const downloadQuery = { list: 'charter_sites', of: charter._id, filters: { status: group } } as const
  const download = useListDownload(downloadQuery)
  const mayManage = useCan('manage the network')
  const toggle = (one: 'active' | 'closed') => (on: boolean) => change({ status: on ? one : undefined })
  return (
    <section aria-labelledby="sites" className={classes.sites}>
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.bottomMargin12} ${layoutClasses.minHeight36} ${classes.sitesHead}`}>
        <h2 id="sites" className={textClasses.sectionTitle}>
          Sites <span className={textClasses.count}>{sites.length.toLocaleString('en-US')}</span>
        </h2>
        {mixed ? (
          <div data-print="no">
            <Chips label="Filters">
              <FilterToggle label={`Active ${active.length}`} on={group === 'active'} onToggle={toggle('active')} />
              <FilterToggle label={`Closed ${closed.length}`} on={group === 'closed'} onToggle={toggle('closed')} />
            </Chips>
          </div>
        ) : null}
      </div>
      {shown.length > 0 ? (
        <>
          <div data-print="no">
            <DownloadLine
              isEmpty={false}
              onDownload={download}
              editable={mayManage ? { kind: 'site', noun: RECORD_NOUNS.site, shown, total: undefined, request: downloadQuery } : null}
              count={<MatchCount matching={shown.length} all={sites.length} />}
            />
            <SiteGrid label={`Sites of ${charter.name}`} sites={shown} />
          </div>
          <PrintedTable columns={SITES_SHEET} records={shown} getKey={getSiteKey} />
        </>
      ) : (
        <EmptyState icon={IconBuilding} title="No locations to display">
          <p>This charter has no sites.</p>
          <EmptyKind kind="site" />
        </EmptyState>
      )}
    </section>
  )
}

/** `/charter/{id}`: contact details and sites of a charter. */
export const CharterSitesPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useCharter(id)
  const navigate = useNavigate()
  const slug = query.data?.slug ?? id
  // The charter's form is on the page with all of its fields.
  const suggest = useCallback(
    () => void navigate({ to: '/charterview/$id', params: { id: slug }, search: { edit: SUGGEST } }),
    [navigate, slug],
  )
  return (
    <RecordPage
      kind="charter"
      query={query}
      getName={({ name }) => name}
      history={charterHistory}
      renderBack={() => <BackLink to="/charters" label="Charters" />}
      skeleton={<CharterSkeleton />}
      above={<PrintLine />}
      renderHead={(charter) => ({
        actions: (
          <>
            <PrintButton />
            <AffairLink charter={charter} />
          </>
        ),
        otherPage: (
          <HeadLink icon={IconListDetails} to={getRecordFormPath({ kind: 'charter', slug: charter.slug })}>
            View Charter
          </HeadLink>
        ),
        line: (
          <>
            <StatusBadge status={charter.status} />
            {charter.abbreviation ? <span>{charter.abbreviation}</span> : null}
            <TextLink to={getRecordPath({ kind: 'brand', _id: charter.brand })}>{charter.brandName}</TextLink>
          </>
        ),
        avatar: <BrandMark name={charter.brandName} icon={charter.brandIcon} />,
        phoneAction: charter.charterContactnumber ? <CallAction phone={charter.charterContactnumber} /> : null,
        facts: <CharterFacts charter={charter} />,
        check: isClosed(charter.status) ? null : <CharterCheck charter={charter} onSuggest={suggest} />,
      })}
    >
      {(charter) => (
        <>
          <Sites charter={charter} />
          <DeadlinesCard filter={{ charter: charter.slug }} />
          <div className={layoutClasses.topMargin32} data-print="no">
            <LastChanged updatedAt={charter.updatedAt} updatedBy={charter.updatedBy} />
          </div>
        </>
      )}
    </RecordPage>
  )
}
