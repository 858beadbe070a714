import { IconSchool } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy } from 'react'

import { toResizedPictureUrl } from '../../../contract/fields.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { type Fact, Facts, toFacts } from '../../../platform/web/kit/Facts.tsx'
import { HeadLink } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { RecordPhoto } from '../../../platform/web/kit/RecordPhoto.tsx'
import { StatusBadge, StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { SuggestedValues } from '../../../platform/web/record-features.tsx'
import { EditButton } from '../../pages/web/public/EditButton.tsx'
import { RecordPage } from '../../pages/web/public/RecordPage.tsx'
import type { Brand } from '../contract.ts'
import { brandLabels } from '../fields.ts'
import { brandHistory } from '../history.ts'
import { useBrandView } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './Brand.module.css'

/** The name and the photo are in the header. */
const { brandName: _name, brandPhoto: _photo, ...shownLabels } = brandLabels

const buildFacts = (brand: Brand): Fact[] =>
  toFacts(
    shownLabels,
    brand,
    {
      websiteUrl: { value: brand.websiteUrl && <WebLink address={brand.websiteUrl} /> },
      EnrollmentsUrl: { value: brand.EnrollmentsUrl && <WebLink address={brand.EnrollmentsUrl} /> },
      status: { value: <StatusWord status={brand.status} /> },
      brandIcon: {
        value: brand.brandIcon && (
          <img
            src={toResizedPictureUrl(brand.brandIcon, 320)}
            alt={`Icon of ${brand.brandName}`}
            className={`${layoutClasses.block} ${layoutClasses.rounded} ${classes.icon}`}
          />
        ),
      },
      charters: {
        value: (
          <TextLink to={getRecordPath({ kind: 'brand', _id: brand._id })}>
            {brand.charters.length === 1 ? '1 charter' : `${brand.charters.length} charters`}
          </TextLink>
        ),
      },
    },
    (field) => <SuggestedValues kind="brand" _id={brand._id} paths={[field]} />,
  )

const BrandForm = lazy(() => import('./BrandForm.tsx').then((module) => ({ default: module.BrandForm })))

/** `/brandview/{id}`: every field of a brand. */
export const BrandPage = () => {
  const { id = '' } = useParams({ strict: false })
  return (
    <RecordPage
      kind="brand"
      query={useBrandView(id)}
      getName={({ brandName }) => brandName}
      getTitle={({ brandName }) => `Brand view, ${brandName}`}
      history={brandHistory}
      renderBack={(brand) => <BackLink to={getRecordPath({ kind: 'brand', _id: brand?._id ?? id })} label={brand?.brandName ?? 'Brand'} />}
      form={{ mayEdit: useCan('manage the network'), View: BrandForm }}
      renderHead={(brand, { open, suggest }) => ({
        otherPage: (
          <HeadLink icon={IconSchool} to={getRecordPath({ kind: 'brand', _id: brand._id })}>
            Charters of this brand
          </HeadLink>
        ),
        mainAction: <EditButton recordType="brand" onOpen={open} onSuggest={suggest} />,
        line: <StatusBadge status={brand.status} />,
        facts: <Facts variant="columns" facts={buildFacts(brand)} />,
        picture: <RecordPhoto src={brand.brandPhoto} name={brand.brandName} drawn={{ type: 'campus', id: brand._id }} />,
      })}
    >
      {({ updatedAt, updatedBy }) => (
        <div className={layoutClasses.topMargin32}>
          <LastChanged updatedAt={updatedAt} updatedBy={updatedBy} />
        </div>
      )}
    </RecordPage>
  )
}
