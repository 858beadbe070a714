import { IconBuilding } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { formatPhone } from '../../../contract/phones.ts'
import { getRecordPath } from '../../../contract/records.ts'
import { isClosed } from '../../../contract/status.ts'
import { EditButton } from '../../../features/access/session/web/public/EditButton.tsx'
import { useCan } from '../../../features/access/session/web/queries.ts'
import { PlannedChangesCard } from '../../../features/record-tools/changesets/web/public/PlannedChangesCard.tsx'
import { useCheckIntervals } from '../../../features/record-tools/checks/web/queries.ts'
import { FavoriteToggle } from '../../../features/record-tools/favorites/web/public/FavoriteToggle.tsx'
import { HistoryButton } from '../../../features/record-tools/history/web/public/HistoryButton.tsx'
import { SuggestedValues, SuggestionsLink } from '../../../features/record-tools/requests/web/public/Suggestions.tsx'
import { DraftHint, SuggestionDraftHint } from '../../../platform/web/form/DraftHint.tsx'
import { useEditMode } from '../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { BrandMark } from '../../../platform/web/kit/BrandMark.tsx'
import { CallAction } from '../../../platform/web/kit/ContactActions.tsx'
import { PhoneLink } from '../../../platform/web/kit/ContactLinks.tsx'
import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
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
import { CharterDifferencesCard } from '../../charter-affairs/web/public/CharterDifferencesCard.tsx'
import type { Charter } from '../contract.ts'
import { charterLabels } from '../fields.ts'
import { charterHistory } from '../history.ts'
import { CharterCheck } from './CharterCheck.tsx'
import { useCharterView } from './queries.ts'
import { StudentCount } from './StudentCount.tsx'

import classes from './Charter.module.css'

/** The name and the photo are in the header; the phone number comes before the website, and the slug after what users read. */
const {
  name: _name,
  photo: _photo,
  slug,
  directory_id,
  sites,
  charterWebsite,
  schoolTypeUrls,
  charter_number,
  charter_grade_levels,
  ...firstLabels
} = charterLabels
const shownLabels = { ...firstLabels, charterWebsite, schoolTypeUrls, charter_number, charter_grade_levels, directory_id, slug, sites }

const buildFacts = (charter: Charter): Fact[] =>
  toFacts(
    shownLabels,
    charter,
    {
      brand: {
        value: (
          <span className={classes.brand}>
            <BrandMark name={charter.brandName} icon={charter.brandIcon} size={28} />
            <TextLink to="/brand/$id" params={{ id: charter.brand }}>
              {charter.brandName}
            </TextLink>
          </span>
        ),
      },
      status: { value: <StatusWord status={charter.status} /> },
      studentCount: { value: <StudentCount charter={charter} /> },
      charterContactnumber: {
        value: (
          <span className={classes.copied}>
            <PhoneLink phone={charter.charterContactnumber} />
            {charter.charterContactnumber ? <CopyButton value={formatPhone(charter.charterContactnumber)} what="contact number" /> : null}
          </span>
        ),
      },
      charterWebsite: { value: charter.charterWebsite && <WebLink address={charter.charterWebsite} /> },
      schoolTypeUrls: {
        value:
          charter.schoolTypeUrls.length > 0 ? (
            <ul className={classes.urls}>
              {charter.schoolTypeUrls.map(({ name, url }) => (
                <li key={`${name} ${url}`}>
                  <WebLink address={url} label={name} />
                </li>
              ))}
            </ul>
          ) : null,
      },
      sites: {
        value: (
          <TextLink to="/charter/$id" params={{ id: charter.slug }}>
            {charter.sites.length === 1 ? '1 site' : `${charter.sites.length} sites`}
          </TextLink>
        ),
      },
    },
    (field) => <SuggestedValues kind="charter" _id={charter._id} paths={[field]} />,
  ).filter((fact) => fact.label !== charterLabels.directory_id || charter.directory_id !== null)

const CharterForm = lazy(() => import('./CharterForm.tsx').then((module) => ({ default: module.CharterForm })))

/** `/charterview/{id}`: every field of a charter. */
export const CharterPage = () => {
  const { id = '' } = useParams({ strict: false })
  const mayEdit = useCan('manage the network')
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode()
  const query = useCharterView(id)
  const isChecked = useCheckIntervals().charter !== null
  const hasCheck = ({ status }: Charter) => isChecked && !isClosed(status)
  useTitle(query.data && `Charter view, ${query.data.name}`)
  const backTo = (slug: string, name: string) => <BackLink to={getRecordPath({ kind: 'charter', slug })} label={name} />
  return (
    <LoadedRecord query={query} what="charter" back={backTo(id, 'Charter')} skeleton={<DetailSkeleton beside="picture" />}>
      {(charter) =>
        isSuggesting || (mayEdit && isEditing) ? (
          <Suspense fallback={<DetailSkeleton beside="picture" />}>
            <CharterForm key={charter._id} charter={charter} draftKey={`charter ${charter._id}`} onClose={close} />
          </Suspense>
        ) : (
          <>
            {mayEdit ? <DraftHint key={charter._id} name={`charter ${charter._id}`} onResume={resume} /> : null}
            <SuggestionDraftHint name={`charter ${charter._id}`} onResume={resumeSuggesting} />
            <DetailHead
              back={backTo(charter.slug, charter.name)}
              actions={
                <>
                  <FavoriteToggle kind="charter" _id={charter._id} />
                  <HistoryButton kind="charter" parts={charterHistory} _id={charter._id} name={charter.name} />
                  <HeadAction
                    icon={IconBuilding}
                    renderRoot={(props) => <Link to="/charter/$id" params={{ id: charter.slug }} {...props} />}
                  >
                    Sites of this charter
                  </HeadAction>
                </>
              }
              mainAction={<EditButton recordType="charter" onOpen={open} onSuggest={suggest} />}
              phoneAction={charter.charterContactnumber ? <CallAction phone={charter.charterContactnumber} /> : null}
              title={charter.name}
              line={
                <>
                  <StatusBadge status={charter.status} />
                  {charter.abbreviation ? <span>{charter.abbreviation}</span> : null}
                  {hasCheck(charter) ? null : <SuggestionsLink kind="charter" _id={charter._id} />}
                </>
              }
              facts={<Facts variant="columns" facts={buildFacts(charter)} />}
              strip={
                <>
                  {hasCheck(charter) ? <CharterCheck charter={charter} onSuggest={suggest} /> : null}
                  <PlannedChangesCard kind="charter" _id={charter._id} />
                </>
              }
              picture={<RecordPhoto src={charter.photo} name={charter.name} drawn={{ type: 'campus', id: charter._id }} />}
            />
            <CharterDifferencesCard charter={charter} />
            <div className={classes.changed}>
              <LastChanged updatedAt={charter.updatedAt} updatedBy={charter.updatedBy} />
            </div>
          </>
        )
      }
    </LoadedRecord>
  )
}
