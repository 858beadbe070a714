import { Anchor } from '@mantine/core'
import { IconMessage2Plus, IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback } from 'react'
import type { ComponentType, ReactNode } from 'react'

import { buildPagePath } from '../../../../contract/pages.ts'
import { formatPhone } from '../../../../contract/phones.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import { isClosed } from '../../../../contract/status.ts'
import { useCan } from '../../../../features/access/session/web/queries.ts'
import { PlannedChangesCard } from '../../../../features/record-tools/changesets/web/public/PlannedChangesCard.tsx'
import { CheckCard } from '../../../../features/record-tools/checks/web/public/CheckCard.tsx'
import { useCheckIntervals } from '../../../../features/record-tools/checks/web/queries.ts'
import { FavoriteToggle } from '../../../../features/record-tools/favorites/web/public/FavoriteToggle.tsx'
import { HistoryButton } from '../../../../features/record-tools/history/web/public/HistoryButton.tsx'
import { SuggestedValues, SuggestionsLink } from '../../../../features/record-tools/requests/web/public/Suggestions.tsx'
import { useRecordSuggestions } from '../../../../features/record-tools/requests/web/queries.ts'
import { DraftHint, SuggestionDraftHint } from '../../../../platform/web/form/DraftHint.tsx'
import { SUGGEST, useEditMode } from '../../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { CallAction, MapAction } from '../../../../platform/web/kit/ContactActions.tsx'
import { getMapUrl, PhoneLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../../platform/web/kit/CopyButton.tsx'
import { DetailHead } from '../../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { Facts, Lines } from '../../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { PrintButton } from '../../../../platform/web/kit/PrintButton.tsx'
import { PrintLine } from '../../../../platform/web/kit/PrintLine.tsx'
import { RecordPhoto } from '../../../../platform/web/kit/RecordPhoto.tsx'
import { StatusBadge } from '../../../../platform/web/kit/StatusBadge.tsx'
import { Tabs } from '../../../../platform/web/kit/Tabs.tsx'
import { useTitle } from '../../../../platform/web/title.ts'
import { formatAddressLines, formatHourLines } from '../../address-text.ts'
import type { Site } from '../../contract.ts'
import { siteHistory } from '../../history.ts'
import { ClosedNotice } from '../ClosedNotice.tsx'
import { useIsLeading, useSite } from '../queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './SiteLayout.module.css'

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
  const { data: proposals = [] } = useRecordSuggestions('site', site._id)
  const isPhoneSuggested = proposals.some(({ fields }) => fields.some(({ path, state }) => path === 'address.phone' && state === 'open'))
  return (
    <Facts
      variant="head"
      facts={[
        {
          label: 'Phone',
          isOnPhones: phone === null || isPhoneSuggested,
          value: (
            <span className={layoutClasses.copied}>
              <PhoneLink phone={phone} variant="prominent" />
              {phone ? <CopyButton value={formatPhone(phone)} what="phone number" /> : null}
            </span>
          ),
          note: <SuggestedValues kind="site" _id={site._id} paths={['address.phone']} />,
        },
        {
          label: 'Address',
          value: lines.length ? (
            <span className={layoutClasses.copied}>
              <Anchor inherit href={getMapUrl(lines.join(', '))} target="_blank" rel="noreferrer" className={classes.address}>
                <Lines of={lines} />
              </Anchor>
              <CopyButton value={lines.join(', ')} what="address" />
            </span>
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

interface SiteEdit {
  /** The label of the button that opens it; null if changes can only be suggested. */
  readonly label: string | null
  /** The key of its saved draft. */
  readonly getDraftKey: (site: Site) => string
  readonly View: ComponentType<SiteFormProps>
}

/** The props of the edit form of a page of a site. */
export interface SiteFormProps {
  site: Site
  /** The key of its saved draft. */
  draftKey: string
  onClose: () => void
}

interface SiteLayoutProps {
  /** The route parameter: a slug or `_id`. */
  slug: string
  /** The page's title, except for the overview. On phones the header of these pages has no facts and picture. */
  page?: string
  /** The page below the tabs. */
  children: (site: Site) => ReactNode
  /** The edit form, which replaces the page for users who may edit a site. */
  form?: SiteEdit
}

/** The header and tabs of all pages of a site. */
export const SiteLayout = ({ slug, page, children, form }: SiteLayoutProps) => {
  const query = useSite(slug)
  const mayEdit = useCan('edit a site')
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode()
  const navigate = useNavigate()
  const site = query.data
  const plannedPrefix = page === undefined ? '' : PLANNED_PREFIXES[page]
  const isChecked = useCheckIntervals().site !== null
  const hasCheck = ({ status }: Site) => isChecked && page === undefined && !isClosed(status)
  const addressLine = site ? formatAddressLines(site.address).join(', ') : ''
  useTitle(site && (page ? `${page}, ${site.displayName}` : site.displayName))
  const names = [slug, site?.slug, site?._id].join(' ')
  const isOwnPage = useCallback((path: string) => names.split(' ').includes(decodeURIComponent(SITE_PATH.exec(path)?.[1] ?? '?')), [names])
  const back = <BackLink to="/locations" label="Resource Centers" isOwnPage={isOwnPage} />
  return (
    <LoadedRecord query={query} what="site" back={back} skeleton={<DetailSkeleton beside="picture" tabs />}>
      {(site) =>
        form && (isSuggesting || (mayEdit && isEditing && form.label !== null)) ? (
          <Suspense fallback={<DetailSkeleton beside="picture" />}>
            <form.View key={form.getDraftKey(site)} site={site} draftKey={form.getDraftKey(site)} onClose={close} />
          </Suspense>
        ) : (
          <>
            <PrintLine of={page} />
            {form && form.label !== null && mayEdit ? (
              <DraftHint key={form.getDraftKey(site)} name={form.getDraftKey(site)} onResume={resume} />
            ) : null}
            {form ? <SuggestionDraftHint name={form.getDraftKey(site)} onResume={resumeSuggesting} /> : null}
            <DetailHead
              brief={page !== undefined}
              back={back}
              actions={
                <>
                  <FavoriteToggle kind="site" _id={site._id} />
                  <HistoryButton kind="site" parts={siteHistory} _id={site._id} name={site.displayName} />
                  <PrintButton />
                  <HeadAction
                    icon={IconMessage2Plus}
                    onClick={() => {
                      if (form) suggest()
                      else void navigate({ to: '/location/$slug', params: { slug: site.slug }, search: { edit: SUGGEST } })
                    }}
                  >
                    Request a Change
                  </HeadAction>
                </>
              }
              mainAction={
                form && form.label !== null && mayEdit ? (
                  <HeadAction icon={IconPencil} onClick={open}>
                    {form.label}
                  </HeadAction>
                ) : null
              }
              banner={isClosed(site.status) ? <ClosedNotice /> : null}
              title={site.displayName}
              line={
                <>
                  <StatusBadge status={site.status} />
                  {site.category ? (
                    <>
                      <span>{site.category}</span>
                      <span aria-hidden className={classes.dot}>
                        ·
                      </span>
                    </>
                  ) : null}
                  <span>{site.finance_id ? `Finance no. ${site.finance_id}` : 'No finance number'}</span>
                  <SuggestedValues kind="site" _id={site._id} paths={NAME_PATHS} />
                  {hasCheck(site) ? null : <SuggestionsLink kind="site" _id={site._id} />}
                </>
              }
              phoneAction={site.address.phone ? <CallAction phone={site.address.phone} /> : null}
              phoneActions={addressLine ? <MapAction address={addressLine} /> : null}
              facts={<SiteFacts site={site} />}
              strip={
                <>
                  {hasCheck(site) ? <SiteCheck site={site} onSuggest={suggest} /> : null}
                  {plannedPrefix === undefined ? null : <PlannedChangesCard kind="site" _id={site._id} prefix={plannedPrefix} />}
                </>
              }
              picture={<RecordPhoto src={site.photo} name={site.displayName} drawn={{ type: site.category, id: site._id }} />}
            />
            <Tabs label={`Pages of ${site.displayName}`} tabs={buildTabs(site)} />
            {children(site)}
          </>
        )
      }
    </LoadedRecord>
  )
}
