import { Anchor } from '@mantine/core'
import { IconMessage2Plus, IconPencil } from '@tabler/icons-react'
import { useCallback } from 'react'
import type { ComponentType, ReactNode } from 'react'

import { buildPagePath } from '../../../../contract/pages.ts'
import { formatPhone } from '../../../../contract/phones.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { isClosed } from '../../../../contract/status.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { CallAction, MapAction } from '../../../../platform/web/kit/ContactActions.tsx'
import { getMapUrl, PhoneLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { WithCopy } from '../../../../platform/web/kit/CopyButton.tsx'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { Facts, Lines } from '../../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { PrintButton } from '../../../../platform/web/kit/PrintButton.tsx'
import { PrintLine } from '../../../../platform/web/kit/PrintLine.tsx'
import { RecordPhoto } from '../../../../platform/web/kit/RecordPhoto.tsx'
import { StatusBadge } from '../../../../platform/web/kit/StatusBadge.tsx'
import { Tabs } from '../../../../platform/web/kit/Tabs.tsx'
import { CheckCard, SuggestedValues, useHasSuggestion } from '../../../../platform/web/record-features.tsx'
import { RecordPage } from '../../../pages/web/public/RecordPage.tsx'
import { formatAddressLines, formatHourLines } from '../../address-text.ts'
import type { Site } from '../../contract.ts'
import { siteHistory } from '../../history.ts'
import { ClosedNotice } from '../ClosedNotice.tsx'
import { useIsLeading, useSite } from '../queries.ts'
import type { SiteFormProps } from './use-site-form.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

/** The planned changes that belong to a page of a site; the overview has all of them. */
const PLANNED_PREFIXES: Readonly<Record<string, string>> = {
  Facility: 'facility_info.',
  Enrollment: 'enrollment_info.',
  Staff: 'roles.',
}
const SITE_PATH = /^\/location\/(?:(?:fac|enrollment|staff)\/)?([^/]+)/

const ADDRESS_PATHS = ['address.address_1', 'address.address_2', 'address.city', 'address.state', 'address.zip']
const HOURS_PATHS = ['address.start_day', 'address.end_day', 'address.start_time', 'address.end_time']
/** Values that the head shows outside its facts. */
const NAME_PATHS = ['displayName', 'status', 'finance_id', 'photo']

const SiteFacts = ({ site }: { site: Site }) => {
  const { phone, fax } = site.address
  const lines = formatAddressLines(site.address)
  const hours = formatHourLines(site.address)
  const isPhoneSuggested = useHasSuggestion('site', site._id, 'address.phone')
  return (
    <Facts
      variant="head"
      facts={[
        {
          label: 'Phone',
          isOnPhones: phone === null || isPhoneSuggested,
          value: (
            <WithCopy value={phone && formatPhone(phone)} what="phone number">
              <PhoneLink phone={phone} variant="prominent" />
            </WithCopy>
          ),
          note: <SuggestedValues kind="site" _id={site._id} paths={['address.phone']} />,
        },
        {
          label: 'Address',
          value: lines.length ? (
            <WithCopy value={lines.join(', ')} what="address">
              <Anchor inherit href={getMapUrl(lines.join(', '))} target="_blank" rel="noreferrer" className={layoutClasses.shrinkable}>
                <Lines of={lines} />
              </Anchor>
            </WithCopy>
          ) : null,
          note: <SuggestedValues kind="site" _id={site._id} paths={ADDRESS_PATHS} />,
        },
        {
          label: 'Hours',
          value: hours.length ? <Lines of={hours} /> : null,
          note: <SuggestedValues kind="site" _id={site._id} paths={HOURS_PATHS} />,
        },
        {
          label: 'Fax',
          value: <PhoneLink phone={fax} variant="quiet" />,
          note: <SuggestedValues kind="site" _id={site._id} paths={['address.fax']} />,
        },
      ]}
    />
  )
}

const SiteCheck = ({ site, onSuggest }: { site: Site; onSuggest: () => void }) => {
  const mayEdit = useCan('edit a site')
  const isLeading = useIsLeading(site)
  return (
    <CheckCard
      kind="site"
      record={site}
      mayCheck={mayEdit || isLeading}
      people={site.people.map(({ person }) => person)}
      onSuggest={onSuggest}
    />
  )
}

const buildTabs = (site: Site) => [
  { label: 'Overview', to: getRecordPath({ kind: 'site', slug: site.slug }) },
  { label: 'Facility', to: buildPagePath('/location/fac/$slug', site.slug) },
  { label: 'Enrollment', to: buildPagePath('/location/enrollment/$slug', site.slug) },
  { label: `Staff ${new Set(site.people.map(({ person }) => person._id)).size}`, to: buildPagePath('/location/staff/$slug', site.slug) },
  { label: `SIS ${site.sis_sites.length}`, to: buildPagePath('/location/$slug/sis', site.slug) },
]

interface SiteLayoutProps {
  /** The route parameter: a slug or `_id`. */
  slug: string
  /** The page's title, except for the overview. On phones the header of these pages has no facts and picture. */
  page?: string
  /** The page below the tabs. */
  children: (site: Site) => ReactNode
  /** The label of the button that opens the edit form; null if changes can only be suggested. */
  editLabel: string | null
  /** The edit form, which replaces the page. */
  form: ComponentType<SiteFormProps>
  /** The key of its saved draft. */
  getDraftKey: (site: Site) => string
}

/** The header and tabs of all pages of a site. */
export const SiteLayout = ({ slug, page, children, editLabel, form, getDraftKey }: SiteLayoutProps) => {
  const query = useSite(slug)
  const mayEdit = useCan('edit a site') && editLabel !== null
  const names = [slug, query.data?.slug, query.data?._id].join(' ')
  const isOwnPage = useCallback((path: string) => names.split(' ').includes(decodeURIComponent(SITE_PATH.exec(path)?.[1] ?? '?')), [names])
  return (
    <RecordPage
      kind="site"
      query={query}
      getName={({ displayName }) => displayName}
      getTitle={({ displayName }) => (page ? `${page}, ${displayName}` : displayName)}
      history={siteHistory}
      renderBack={() => <BackLink to="/locations" label="Resource Centers" isOwnPage={isOwnPage} />}
      skeleton={<DetailSkeleton beside="picture" tabs />}
      form={{ mayEdit, View: form, getDraftKey }}
      above={<PrintLine of={page} />}
      renderHead={(site, { open, suggest }) => {
        const addressLine = formatAddressLines(site.address).join(', ')
        return {
          brief: page !== undefined,
          actions: (
            <>
              <PrintButton />
              <HeadAction icon={IconMessage2Plus} worksOffline onClick={suggest}>
                Request a Change
              </HeadAction>
            </>
          ),
          mainAction:
            mayEdit && editLabel ? (
              <HeadAction icon={IconPencil} onClick={open}>
                {editLabel}
              </HeadAction>
            ) : null,
          banner: isClosed(site.status) ? <ClosedNotice /> : null,
          line: (
            <>
              <StatusBadge status={site.status} />
              <span>
                {[site.category, site.finance_id ? `Finance no. ${site.finance_id}` : 'No finance number'].filter(Boolean).join(' · ')}
              </span>
              <SuggestedValues kind="site" _id={site._id} paths={NAME_PATHS} />
            </>
          ),
          phoneAction: site.address.phone ? <CallAction phone={site.address.phone} /> : null,
          phoneActions: addressLine ? <MapAction address={addressLine} /> : null,
          facts: <SiteFacts site={site} />,
          check: page === undefined && !isClosed(site.status) ? <SiteCheck site={site} onSuggest={suggest} /> : null,
          plannedPrefix: page === undefined ? '' : (PLANNED_PREFIXES[page] ?? null),
          picture: <RecordPhoto src={site.photo} name={site.displayName} drawn={{ type: site.category, id: site._id }} />,
        }
      }}
    >
      {(site) => (
        <>
          <Tabs label={`Pages of ${site.displayName}`} tabs={buildTabs(site)} />
          {children(site)}
        </>
      )}
    </RecordPage>
  )
}
