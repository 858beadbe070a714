import { type ComponentType, createContext, type ReactNode, use } from 'react'

import type { CheckedKind, CheckIntervals } from '../../contract/checks.ts'
import type { Archived } from '../../contract/fields.ts'
import type { Noun } from '../../contract/format.ts'
import type { HistoryParts } from '../../contract/history.ts'
import type { DuplicateKind, EditableKind, PagedKind, PersonalKind, RecordHit, RecordKind } from '../../contract/records.ts'
import type { Status } from '../../contract/status.ts'
import type { BelowFieldProps } from './form/fields.ts'
import type { FormPlan } from './form/plan.ts'
import type { FormSuggestion } from './form/suggestion.ts'
import type { EditedTable } from './list/cells.ts'
import type { ListFilter } from './list/list-filter.ts'
import type { Selection } from './list/use-selection.ts'
import { pastDay } from './past-day.ts'

interface EditableRecord {
  readonly kind: EditableKind
  readonly _id: string
}

export interface HistoryButtonProps extends Pick<RecordHit, '_id' | 'name'> {
  readonly kind: RecordKind | 'charter_affair'
  readonly parts: HistoryParts
}

export interface RecordPanelsProps extends EditableRecord {
  /** The start of the paths of the fields that the page shows, if it shows a part of the record. */
  readonly prefix?: string
}

/** A record of a kind with a page. */
export interface PagedRecord {
  readonly kind: PagedKind
  readonly _id: string
}

export interface CheckCardProps {
  readonly kind: CheckedKind
  readonly record: { readonly _id: string; readonly checkedAt: string | null; readonly checkedBy: string | null }
  /** Whether the user may confirm the record. */
  readonly mayCheck: boolean
  /** People whose names are links. */
  readonly people?: readonly { readonly name: string; readonly slug: string }[]
  /** Opens the form to report what is wrong. */
  readonly onSuggest: () => void
}

export interface CheckShareCardProps {
  readonly regions: readonly {
    readonly name: string
    /** The region's slug, for the link to its unchecked sites; null without a region. */
    readonly slug: string | null
    readonly sites: readonly { readonly status: Status; readonly checkedAt: string | null }[]
  }[]
  /** Whether the page is that of a single region. */
  readonly isAlone?: boolean
}

export interface DeadlinesCardProps {
  readonly title?: string
  /** The same as in the URL of the deadlines page: `{ charter: 'juniper' }`. */
  readonly filter: Readonly<Partial<Record<RecordKind | 'responsible', string>>>
}

export interface BulkActionsProps<T> {
  readonly kind: EditableKind
  readonly noun: Noun
  readonly selection: Selection<T> | null
  /** The columns that the list shows; undefined for cards. */
  readonly columns: readonly string[] | undefined
  readonly getEmail?: ((record: T) => string | null) | undefined
}

/** The cells of a table, which are edited in place. */
export interface CellsProps extends EditedTable {
  readonly kind: EditableKind
}

export interface SuggestedRecord extends EditableRecord {
  readonly name: string
  /** The version that the form shows. */
  readonly version?: number | undefined
  /** The prefix of this form's paths in the record: `facility_info`. */
  readonly prefix?: string
  /** The slug of a site, for the change request window. */
  readonly site?: string
}

export interface AccessCardProps {
  readonly person: { readonly _id: string; readonly name: string; readonly leftAt: string | null }
  /** The level of the user. */
  readonly level: number
}

export interface LeavingPerson {
  readonly _id: string
  readonly version: number
  readonly name: string
  readonly leftAt: string | null
}

/** A record that says who someone is. */
export interface PersonalRecord {
  readonly kind: PersonalKind
  readonly _id: string
  readonly name: string
}

export interface MovedPerson {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly leftAt: string | null
}

export interface DuplicateHintProps {
  readonly kind: DuplicateKind
  /** What is typed, by path. */
  readonly values: Readonly<Record<string, unknown>>
}

/** A record of any kind that can be archived. */
export interface ArchivableRecord {
  readonly kind: RecordKind
  readonly _id: string
  readonly name: string
  readonly version: number
  readonly archived?: Archived | undefined
}

/** What features show on lists of records. `src/app` provides it, so that records know no feature, and features no record. */
export interface ListFeatures {
  readonly ViewMenu: ComponentType
  readonly Cells: ComponentType<CellsProps>
  readonly BulkActions: <T extends { readonly _id: string }>(props: BulkActionsProps<T>) => ReactNode
  readonly useNotCheckedFilter: (kind: CheckedKind) => ListFilter
}

/** What features show on the pages of records, and on lists in these. */
export interface RecordFeatures extends ListFeatures {
  readonly FavoriteToggle: ComponentType<Pick<RecordHit, 'kind' | '_id'>>
  readonly HistoryButton: ComponentType<HistoryButtonProps>
  readonly ArchiveAction: ComponentType<{ readonly record: ArchivableRecord }>
  readonly ArchivedNotice: ComponentType<{ readonly record: ArchivableRecord }>
  readonly SuggestionsLink: ComponentType<EditableRecord>
  readonly SuggestedValues: ComponentType<EditableRecord & { readonly paths: readonly string[] }>
  /** What each capability shows on the page of any record, above its content. */
  readonly RecordPanels: ComponentType<RecordPanelsProps>
  /** Below the content of a page, and in its head a link to them. */
  readonly Comments: ComponentType<PagedRecord>
  readonly CommentsLink: ComponentType<PagedRecord>
  readonly CheckCard: ComponentType<CheckCardProps>
  readonly DeadlinesCard: ComponentType<DeadlinesCardProps>
  readonly DeadlineBadgesProvider: ComponentType<{ readonly charter: string; readonly children: ReactNode }>
  readonly DeadlineBadge: ComponentType<{ readonly path: string; readonly text: string }>
  readonly LeaseBadge: ComponentType<{ readonly site: string }>
  readonly CharterDeadlinesLine: ComponentType<{ readonly slug: string }>
  readonly CharterDeadlinesBanner: ComponentType<{ readonly slug: string }>
  readonly ManualDatesProvider: ComponentType<{ readonly charter: string; readonly children: ReactNode }>
  readonly DateHint: ComponentType<BelowFieldProps>
  readonly DayHint: ComponentType<BelowFieldProps>
  /** On the page of a person. */
  readonly AccessCard: ComponentType<AccessCardProps>
  readonly DepartureButton: ComponentType<{ readonly person: LeavingPerson }>
  readonly DepartureNotice: ComponentType<{ readonly person: LeavingPerson }>
  readonly MoveAction: ComponentType<{ readonly person: MovedPerson; readonly isUnassigned: boolean }>
  readonly EraseButton: ComponentType<{ readonly record: PersonalRecord; readonly onErased?: () => Promise<void> }>
  readonly DisabledNotice: ComponentType<{ readonly person: string }>
  /** Beside a vacant role of a site; `site` is its slug. */
  readonly FillLink: ComponentType<{ readonly site: string; readonly role: string }>
  /** In the form of a new record. */
  readonly DuplicateHint: ComponentType<DuplicateHintProps>
  readonly CheckShareCard: ComponentType<CheckShareCardProps>
  readonly useCheckIntervals: () => CheckIntervals
  readonly useHasSuggestion: (kind: EditableKind, _id: string, path: string) => boolean
  readonly usePlan: (record: Pick<SuggestedRecord, 'kind' | '_id' | 'prefix'>) => FormPlan | null
  readonly useSuggestion: (record: SuggestedRecord) => FormSuggestion
  readonly usePlannedEnds: (site: string) => (role: string, person: string) => string | null
  readonly useSaveManualDates: () => (part?: string) => Promise<void>
}

const Features = createContext<ListFeatures | null>(null)

/** Adds what features show there to pages that show records. */
export const withFeatures =
  (features: ListFeatures) =>
  <Props extends object>(Page: ComponentType<Props>) => {
    const WithFeatures = (props: Props) => (
      <Features value={features}>
        <Page {...props} />
      </Features>
    )
    return WithFeatures
  }

/** Lists have only `ListFeatures`. */
const useFeatures = (): RecordFeatures => {
  const features = use(Features)
  if (!features) throw new Error('Pages that show records have the features of lists or records')
  return features as RecordFeatures
}

type ComponentName = {
  [Name in keyof RecordFeatures]: RecordFeatures[Name] extends ComponentType<infer _Props> ? Name : never
}[keyof RecordFeatures]
type PropsOf<Name extends keyof RecordFeatures> = RecordFeatures[Name] extends ComponentType<infer Props> ? Props : never

/** What pages of past days show too. */
const OF_PAST_DAYS: ReadonlySet<ComponentName> = new Set(['RecordPanels', 'SuggestedValues'])

/** A component that shows what the feature provides. */
const show = <Name extends ComponentName>(name: Name) => {
  const Shown = (props: PropsOf<Name> & object) => {
    const Provided = useFeatures()[name] as ComponentType<object>
    // Features show the present: on a past day only what they surround, and what is of that day.
    if (pastDay !== undefined && !OF_PAST_DAYS.has(name)) return (props as { readonly children?: ReactNode }).children ?? null
    return <Provided {...props} />
  }
  return Shown
}
export const FavoriteToggle = show('FavoriteToggle')
export const HistoryButton = show('HistoryButton')
export const ArchiveAction = show('ArchiveAction')
export const ArchivedNotice = show('ArchivedNotice')
export const SuggestionsLink = show('SuggestionsLink')
export const SuggestedValues = show('SuggestedValues')
export const RecordPanels = show('RecordPanels')
export const Comments = show('Comments')
export const CommentsLink = show('CommentsLink')
export const CheckCard = show('CheckCard')
export const DeadlinesCard = show('DeadlinesCard')
export const DeadlineBadgesProvider = show('DeadlineBadgesProvider')
export const DeadlineBadge = show('DeadlineBadge')
export const LeaseBadge = show('LeaseBadge')
export const CharterDeadlinesLine = show('CharterDeadlinesLine')
export const CharterDeadlinesBanner = show('CharterDeadlinesBanner')
export const ManualDatesProvider = show('ManualDatesProvider')
export const DateHint = show('DateHint')
export const DayHint = show('DayHint')
export const AccessCard = show('AccessCard')
export const DepartureButton = show('DepartureButton')
export const DepartureNotice = show('DepartureNotice')
export const MoveAction = show('MoveAction')
export const EraseButton = show('EraseButton')
export const DisabledNotice = show('DisabledNotice')
export const FillLink = show('FillLink')
export const ViewMenu = show('ViewMenu')
export const DuplicateHint = show('DuplicateHint')
export const Cells = show('Cells')
export const CheckShareCard = show('CheckShareCard')
export const BulkActions: RecordFeatures['BulkActions'] = (props) => {
  const { BulkActions: Provided } = useFeatures()
  if (pastDay !== undefined) return null
  return <Provided {...props} />
}

export const useCheckIntervals: RecordFeatures['useCheckIntervals'] = (...given) => useFeatures().useCheckIntervals(...given)
export const useNotCheckedFilter: RecordFeatures['useNotCheckedFilter'] = (...given) => useFeatures().useNotCheckedFilter(...given)
export const useHasSuggestion: RecordFeatures['useHasSuggestion'] = (...given) => useFeatures().useHasSuggestion(...given)
export const usePlan: RecordFeatures['usePlan'] = (...given) => useFeatures().usePlan(...given)
export const useSuggestion: RecordFeatures['useSuggestion'] = (...given) => useFeatures().useSuggestion(...given)
export const usePlannedEnds: RecordFeatures['usePlannedEnds'] = (...given) => useFeatures().usePlannedEnds(...given)
export const useSaveManualDates: RecordFeatures['useSaveManualDates'] = (...given) => useFeatures().useSaveManualDates(...given)
