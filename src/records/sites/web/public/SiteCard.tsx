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

/** The card of a site; without its charter on the charter's own page. The whole card links to the site; the phone number is a separate link. */
export const SiteCard = memo(({ site, isOfCharter = false }: { site: SiteSummary; isOfCharter?: boolean }) => {
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
        {isOfCharter || !site.charter ? null : <CardLine>{site.charter.name}</CardLine>}
        <CardLine>
          {site.principal ? `Principal: ${site.principal.name}` : site.vacant.includes('Principal') ? 'No principal assigned' : ''}
        </CardLine>
        {/* On phones the photo says the other ones. */}
        <div className={site.status === 'ACTIVE - TEMPORARY' ? undefined : layoutClasses.notOnPhones}>
          <StatusWord status={site.status} />
        </div>
        <div className={`${layoutClasses.positioned} ${textClasses.smallFont} ${classes.phone}`}>
          <PhoneLink phone={phone} variant="row" />
        </div>
      </div>
    </article>
  )
})
SiteCard.displayName = 'SiteCard'

/** A 16:9 photo above a body of 11.25 rem; on phones 9 rem with the photo beside it. The border adds 2 pixels. */
export const SITE_CARD_SIZES: CardSizes = {
  minWidthRem: 15.5,
  getHeight: (width, rem, narrow) => (narrow ? 9 * rem : ((width - 2) * 9) / 16 + 11.25 * rem + 2),
}

export const getSiteKey = ({ _id }: SiteSummary): string => _id
const renderCard = (site: SiteSummary): ReactNode => <SiteCard site={site} isOfCharter />

/** The cards of a charter's sites. */
export const SiteGrid = ({ label, sites }: { label: string; sites: readonly SiteSummary[] }) => (
  <CardGrid label={label} records={sites} getKey={getSiteKey} {...SITE_CARD_SIZES}>
    {renderCard}
  </CardGrid>
)
