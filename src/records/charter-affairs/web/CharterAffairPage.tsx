import { IconFileCertificate, IconMessage2Plus, IconPencil } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

import { getRecordPath } from '../../../contract/records.ts'
import { ArchivedPage } from '../../../platform/web/archived.ts'
import { useCan } from '../../../platform/web/caller.ts'
import { DraftHint, SuggestionDraftHint } from '../../../platform/web/form/DraftHint.tsx'
import { FormOf } from '../../../platform/web/form/FormOf.tsx'
import { useEditMode } from '../../../platform/web/form/use-edit-mode.ts'
import { BackLink } from '../../../platform/web/kit/BackLink.tsx'
import { DetailHead } from '../../../platform/web/kit/DetailHead.tsx'
import { HeadAction } from '../../../platform/web/kit/HeadAction.tsx'
import { LastChanged } from '../../../platform/web/kit/LastChanged.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { StatusBadge } from '../../../platform/web/kit/StatusBadge.tsx'
import {
  ArchivedNotice,
  Comments,
  CommentsLink,
  RecordPanels,
  HistoryButton,
  SuggestionsLink,
  DeadlineBadgesProvider,
  CharterDeadlinesLine,
} from '../../../platform/web/record-features.tsx'
import { useTitle } from '../../../platform/web/title.ts'
import type { CharterWithAffair } from '../contract.ts'
import { affairHistoryWithDeadlines } from '../history.ts'
import { findLatestChange } from './affair-fields.ts'
import { AffairSkeleton } from './AffairSkeleton.tsx'
import { NoAffair } from './NoAffair.tsx'
import { useCharterAffair } from './queries.ts'
import { ReadAffair } from './ReadAffair.tsx'

import classes from './Affair.module.css'

const Back = ({ slug, name }: { slug: string; name: string }) => <BackLink to={getRecordPath({ kind: 'charter', slug })} label={name} />

const AffairForm = lazy(() => import('./AffairForm.tsx').then((module) => ({ default: module.AffairForm })))

const Page = ({ charter }: { charter: CharterWithAffair }) => {
  const affair = charter.charter_affair_info[0]
  const mayEdit = useCan('edit a charter affair')
  const mayReadHistory = useCan('read a charter affair')
  // Back leaves the page, not only the form.
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode({ inPlace: true })
  const draftKey = `charter affair ${charter._id}`
  if (!charter.archived && (isSuggesting || (mayEdit && isEditing)))
    return (
      <FormOf kind="charter_affair" _id={charter._id} changedAs={affair?._id}>
        <Suspense fallback={<AffairSkeleton />}>
          <AffairForm charter={charter} draftKey={draftKey} onClose={close} />
        </Suspense>
      </FormOf>
    )
  return (
    <>
      {mayEdit ? <DraftHint name={draftKey} onResume={resume} /> : null}
      <SuggestionDraftHint name={draftKey} onResume={resumeSuggesting} />
      <DetailHead
        back={<Back slug={charter.slug} name={charter.name} />}
        actions={
          affair && mayReadHistory ? (
            <>
              <HeadAction
                icon={IconFileCertificate}
                renderRoot={(props) => <Link to="/charter/$id/dossier" params={{ id: charter.slug }} {...props} />}
              >
                Dossier
              </HeadAction>
              <HistoryButton
                kind="charter_affair"
                parts={affairHistoryWithDeadlines}
                _id={charter._id}
                name={`the charter affair of ${charter.name}`}
              />
            </>
          ) : null
        }
        mainAction={
          affair && mayEdit ? (
            <HeadAction icon={IconPencil} isFilled onClick={open}>
              Edit Charter Affair
            </HeadAction>
          ) : affair && !charter.archived ? (
            <HeadAction icon={IconMessage2Plus} onClick={suggest}>
              Request a Change
            </HeadAction>
          ) : null
        }
        title={charter.name}
        banner={charter.archived ? <ArchivedNotice record={{ kind: 'charter', ...charter }} /> : null}
        line={
          <>
            <StatusBadge status={charter.status} />
            <span>Charter Affair</span>
            <SuggestionsLink kind="charter_affair" _id={charter._id} />
            <CommentsLink kind="charter_affair" _id={charter._id} />
            {affair ? <CharterDeadlinesLine slug={charter.slug} /> : null}
          </>
        }
        strip={<RecordPanels kind="charter_affair" _id={charter._id} />}
      />
      {affair ? (
        <>
          <div className={classes.changed}>
            <LastChanged {...findLatestChange(affair)} />
          </div>
          <DeadlineBadgesProvider charter={charter._id}>
            <ReadAffair key={affair._id} affair={affair} charter={charter} />
          </DeadlineBadgesProvider>
        </>
      ) : (
        <NoAffair charter={charter} onCreate={mayEdit ? open : undefined} />
      )}
      <Comments kind="charter_affair" _id={charter._id} />
    </>
  )
}

/** The governance record of a charter: read at level 6 and lower, edited at level 5 and lower. */
export const CharterAffairPage = () => {
  const { id = '' } = useParams({ strict: false })
  const query = useCharterAffair(id)
  useTitle(query.data && `Charter Affair, ${query.data.name}`)
  return (
    <LoadedRecord query={query} what="charter" back={<Back slug={id} name="Charter" />} skeleton={<AffairSkeleton />}>
      {(charter) => (
        <ArchivedPage value={charter.archived !== undefined}>
          <Page key={charter._id} charter={charter} />
        </ArchivedPage>
      )}
    </LoadedRecord>
  )
}
