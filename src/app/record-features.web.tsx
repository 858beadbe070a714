import { lazy, Suspense } from 'react'

import { isErasedName } from '../contract/erased-names.ts'
import { PERSONAL_KINDS } from '../contract/records.ts'
import { EraseButton, ErasedNotice } from '../features/access/erase/web/public/Erase.tsx'
import { AccessCard } from '../features/access/levels/web/public/AccessCard.tsx'
import { ArchiveAction, ArchivedNotice } from '../features/changing/archive/web/public/Archiving.tsx'
import { PlannedChangesCard } from '../features/changing/changesets/web/public/PlannedChangesCard.tsx'
import { usePlan, usePlannedEnds } from '../features/changing/changesets/web/queries.ts'
import { CheckCard } from '../features/changing/checks/web/public/CheckCard.tsx'
import { CheckShareCard } from '../features/changing/checks/web/public/CheckShareCard.tsx'
import { useCheckIntervals } from '../features/changing/checks/web/queries.ts'
import { CommentsLink, CommentsSection } from '../features/changing/comments/web/public/CommentsSection.tsx'
import { DuplicateHint } from '../features/changing/duplicates/web/public/DuplicateHint.tsx'
import { HistoryButton } from '../features/changing/history/web/public/HistoryButton.tsx'
import { SuggestedValues, SuggestionsLink } from '../features/changing/requests/web/public/Suggestions.tsx'
import { useHasSuggestion, useSuggestion } from '../features/changing/requests/web/queries.ts'
import { CharterDeadlinesBanner, CharterDeadlinesLine } from '../features/deadlines/deadlines/web/public/CharterDeadlines.tsx'
import { DateHint, DayHint, ManualDatesProvider, useSaveManualDates } from '../features/deadlines/deadlines/web/public/DateHint.tsx'
import { DeadlineBadge, DeadlineBadgesProvider, LeaseBadge } from '../features/deadlines/deadlines/web/public/DeadlineBadge.tsx'
import { DeadlinesCard } from '../features/deadlines/deadlines/web/public/DeadlinesCard.tsx'
import { FavoriteToggle } from '../features/finding/favorites/web/public/FavoriteToggle.tsx'
import { usePastDays } from '../features/finding/past-days/web/queries.ts'
import { pastDay } from '../platform/web/past-day.ts'
import {
  type ArchivableRecord,
  type PagedRecord,
  type PersonalRecord,
  type RecordFeatures,
  type RecordPanelsProps,
  withFeatures,
} from '../platform/web/record-features.tsx'
import { PersonPicker } from '../records/people/web/public/PersonPicker.tsx'
import { FillLink } from './coverage/web/public/FillLink.tsx'
import { MoveAction } from './coverage/web/public/MoveAction.tsx'
import { DepartureButton, DepartureNotice } from './departures/web/public/Departure.tsx'
import { DisabledNotice } from './departures/web/public/DisabledPeople.tsx'
import { listFeatures } from './list-features.web.tsx'

/** The panels of all capabilities, on the page of any record. */
const RecordPanels = (record: RecordPanelsProps) => <PlannedChangesCard {...record} />

const Comments = (record: PagedRecord) => <CommentsSection {...record} PersonPicker={PersonPicker} />

const isErased = (record: ArchivableRecord): record is ArchivableRecord & PersonalRecord =>
  PERSONAL_KINDS.some((kind) => kind === record.kind && isErasedName(kind, record.name))

/** An erased record is archived, and cannot be restored. */
const ArchivedOrErasedNotice = ({ record }: { record: ArchivableRecord }) =>
  isErased(record) ? <ErasedNotice record={record} /> : <ArchivedNotice record={record} />

const features: RecordFeatures = {
  ...listFeatures,
  AccessCard,
  RecordPanels,
  Comments,
  CommentsLink,
  usePlan,
  usePlannedEnds,
  CheckCard,
  CheckShareCard,
  useCheckIntervals,
  HistoryButton,
  ArchiveAction,
  ArchivedNotice: ArchivedOrErasedNotice,
  SuggestedValues,
  SuggestionsLink,
  useHasSuggestion,
  useSuggestion,
  CharterDeadlinesBanner,
  CharterDeadlinesLine,
  DateHint,
  DayHint,
  ManualDatesProvider,
  useSaveManualDates,
  DeadlineBadge,
  DeadlineBadgesProvider,
  LeaseBadge,
  DeadlinesCard,
  FavoriteToggle,
  DuplicateHint,
  FillLink,
  MoveAction,
  DepartureButton,
  DepartureNotice,
  DisabledNotice,
  EraseButton,
}

/** On a past day: what has changed since, in place of what may change. */
const loadPastDays = () => import('../features/finding/past-days/web/public/PastDays.tsx')
const PastDays = lazy(() => loadPastDays().then((module) => ({ default: module.PastDays })))
const TodayValues = lazy(() => loadPastDays().then((module) => ({ default: module.TodayValues })))
const toFeaturesOfDay = (day: string): RecordFeatures => ({
  ...features,
  RecordPanels: ({ prefix = '', ...record }) =>
    prefix === '' ? (
      <Suspense>
        <PastDays {...record} day={day} />
      </Suspense>
    ) : null,
  SuggestedValues: (fields) => (
    <Suspense>
      <TodayValues {...fields} />
    </Suspense>
  ),
  useHasSuggestion: (kind, _id, path) => usePastDays(kind, _id).data?.today.some((one) => one.path === path) ?? false,
})

/** A page that shows records, with what features show there. */
export const withRecordFeatures = withFeatures(pastDay === undefined ? features : toFeaturesOfDay(pastDay))
