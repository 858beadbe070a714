import { IconClock } from '@tabler/icons-react'
import { memo, useState } from 'react'
import type { ReactNode } from 'react'

import { toPictureSrcset } from '../../../../contract/fields.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import type { SiteSummary } from '../../../../contract/references.ts'
import { isClosed, isPending, getStatusOverlay } from '../../../../contract/status.ts'
import { PhoneLink } from '../../../../platform/web/kit/ContactLinks.tsx'
import { SchoolDrawing } from '../../../../platform/web/kit/SchoolDrawing.tsx'
import { StatusWord } from '../../../../platform/web/kit/StatusBadge.tsx'
import { CardGrid, type CardSizes } from '../../../../platform/web/list/CardGrid.tsx'
import { CardLine, CardName } from '../../../../platform/web/list/RecordCard.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import card from '../../../../platform/web/list/Card.module.css'
import classes from './SiteCard.module.css'

/** The last line of a card: the site's charter, or its principal on a charter's own page. */
export type CardLine = 'charter' | 'principal'

/** The width of a card's photo; on phones it is 9 rem high and cropped. */
const IMAGE_SIZES = '(max-width: 745px) 256px, 320px'

const Photo = ({ site }: { site: SiteSummary }) => {
  const [broken, setBroken] = useState<string | null>(null)
  const overlay = getStatusOverlay(site.status)
  return (
    <div
      className={`${layoutClasses.rigidFlex} ${layoutClasses.positioned} ${layoutClasses.clipped} ${classes.photo}`}
      data-overlay={isPending(site.status) ? 'soon' : isClosed(site.status) ? 'closed' : undefined}
    >
      {site.photo && site.photo !== broken ? (
        <img
          src={site.photo}
          srcSet={toPictureSrcset(site.photo)}
          sizes={IMAGE_SIZES}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(site.photo)}
        />
      ) : (
        <SchoolDrawing type={site.category} id={site._id} />
      )}
      {overlay ? (
        <span className={`${layoutClasses.row} ${textClasses.hint} ${textClasses.centeredText} ${classes.overlay}`}>
          {isPending(site.status) ? <IconClock size={18} stroke={2} aria-hidden /> : null}
          {overlay}
        </span>
      ) : null}
    </div>
  )
}

const formatCardLine = ({ charter, principal, vacant }: SiteSummary, line: CardLine): string => {
  if (line === 'charter') return charter?.name ?? ''
  if (principal) return `Principal: ${principal.name}`
  return vacant.includes('Principal') ? 'Principal: Vacant' : ''
}

/** The card of a site. The whole card links to the site; the phone number is a separate link. */
export const SiteCard = memo(({ site, line = 'charter' }: { site: SiteSummary; line?: CardLine }) => {
  const { city, state, phone } = site.address
  const cityAndState = [city, state].filter(Boolean).join(', ')
  return (
    <article
      className={`${layoutClasses.card} ${layoutClasses.covered} ${layoutClasses.shadowOnHover} ${card.card} ${layoutClasses.vertical} ${layoutClasses.clipped} ${classes.card}`}
    >
      <Photo site={site} />
      <div className={`${layoutClasses.fillingColumn} ${classes.text}`}>
        <CardName to={getRecordPath({ kind: 'site', slug: site.slug })}>{site.displayName}</CardName>
        <CardLine>
          {cityAndState}
          {site.category ? <span className={layoutClasses.notOnPhones}>{cityAndState ? ` · ${site.category}` : site.category}</span> : null}
        </CardLine>
        <CardLine>{formatCardLine(site, line)}</CardLine>
        {site.status === 'ACTIVE - TEMPORARY' ? <StatusWord status={site.status} /> : null}
        <div className={`${layoutClasses.positioned} ${textClasses.smallFont} ${classes.phone}`}>
          <PhoneLink phone={phone} variant="row" />
        </div>
      </div>
    </article>
  )
})
SiteCard.displayName = 'SiteCard'

/** A 16:9 photo above a body of 9.75 rem; on phones 9 rem with the photo beside it. The border adds 2 pixels. */
export const SITE_CARD_SIZES: CardSizes = {
  minWidthRem: 15.5,
  getHeight: (width, rem, narrow) => (narrow ? 9 * rem : ((width - 2) * 9) / 16 + 9.75 * rem + 2),
}

export const getSiteKey = ({ _id }: SiteSummary): string => _id
const CARD_RENDERERS: Record<CardLine, (site: SiteSummary) => ReactNode> = {
  charter: (site) => <SiteCard site={site} />,
  principal: (site) => <SiteCard site={site} line="principal" />,
}

/** The cards of sites. */
export const SiteGrid = ({ label, sites, line = 'charter' }: { label: string; sites: readonly SiteSummary[]; line?: CardLine }) => (
  <CardGrid label={label} records={sites} getKey={getSiteKey} {...SITE_CARD_SIZES}>
    {CARD_RENDERERS[line]}
  </CardGrid>
)
