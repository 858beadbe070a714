import { IconSchool } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { toResizedPictureUrl } from '../../../contract/fields.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { EditButton } from '../../../features/access/session/web/public/EditButton.tsx'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { PlannedChangesCard } from '../../../features/record-tools/changesets/web/public/PlannedChangesCard.tsx'
import { FavoriteToggle } from '../../../features/record-tools/favorites/web/public/FavoriteToggle.tsx'
import { HistoryButton } from '../../../features/record-tools/history/web/public/HistoryButton.tsx'
import { SuggestedValues, SuggestionsLink } from '../../../features/record-tools/requests/web/public/Suggestions.tsx'
import { DraftHint, SuggestionDraftHint } from '../../../platform/web/form/DraftHint.tsx'
import { useEditMode } from '../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { type Fact, Facts, toFacts } from '../../../platform/web/kit/Facts.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { RecordPhoto } from '../../../platform/web/kit/RecordPhoto.tsx'
import { StatusBadge, StatusWord } from '../../../platform/web/kit/StatusBadge.tsx'
import { TextLink } from '../../../platform/web/kit/TextLink.tsx'
import { WebLink } from '../../../platform/web/kit/WebLink.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import type { Brand } from '../contract.ts'
import { brandLabels } from '../fields.ts'
import { brandHistory } from '../history.ts'
import { useBrandView } from './queries.ts'

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
          <img src={toResizedPictureUrl(brand.brandIcon, 320)} alt={`Icon of ${brand.brandName}`} className={classes.icon} />
        ),
      },
      charters: {
        value: (
          <TextLink to="/brand/$id" params={{ id: brand._id }}>
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
  const mayEdit = useCan('manage the network')
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode()
  const query = useBrandView(id)
  useTitle(query.data && `Brand view, ${query.data.brandName}`)
  const backTo = (brand: string, name: string) => <BackLink to={getRecordPath({ kind: 'brand', _id: brand })} label={name} />
  return (
    <LoadedRecord query={query} what="brand" back={backTo(id, 'Brand')} skeleton={<DetailSkeleton beside="picture" />}>
      {(brand) =>
        isSuggesting || (mayEdit && isEditing) ? (
          <Suspense fallback={<DetailSkeleton beside="picture" />}>
            <BrandForm key={brand._id} brand={brand} draftKey={`brand ${brand._id}`} onClose={close} />
          </Suspense>
        ) : (
          <>
            {mayEdit ? <DraftHint key={brand._id} name={`brand ${brand._id}`} onResume={resume} /> : null}
            <SuggestionDraftHint name={`brand ${brand._id}`} onResume={resumeSuggesting} />
            <DetailHead
              back={backTo(brand._id, brand.brandName)}
              actions={
                <>
                  <FavoriteToggle kind="brand" _id={brand._id} />
                  <HistoryButton kind="brand" parts={brandHistory} _id={brand._id} name={brand.brandName} />
                  <HeadAction icon={IconSchool} renderRoot={(props) => <Link to="/brand/$id" params={{ id: brand._id }} {...props} />}>
                    Charters of this brand
                  </HeadAction>
                </>
              }
              mainAction={<EditButton recordType="brand" onOpen={open} onSuggest={suggest} />}
              title={brand.brandName}
              line={
                <>
                  <StatusBadge status={brand.status} />
                  <SuggestionsLink kind="brand" _id={brand._id} />
                </>
              }
              facts={<Facts variant="columns" facts={buildFacts(brand)} />}
              strip={<PlannedChangesCard kind="brand" _id={brand._id} />}
              picture={<RecordPhoto src={brand.brandPhoto} name={brand.brandName} drawn={{ type: 'campus', id: brand._id }} />}
            />
            <div className={classes.changed}>
              <LastChanged updatedAt={brand.updatedAt} updatedBy={brand.updatedBy} />
            </div>
          </>
        )
      }
    </LoadedRecord>
  )
}
