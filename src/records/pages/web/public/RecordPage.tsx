import { Suspense } from 'react'
import type { ComponentProps, ComponentType, ReactNode } from 'react'

import { CHECKED_KINDS } from '../../../../contract/checks.ts'
import type { Archived } from '../../../../contract/fields.ts'
import type { HistoryParts } from '../../../../contract/history.ts'
import { type EditableKind, RECORD_NOUNS, type RecordKind } from '../../../../contract/records.ts'
import { ArchivedPage } from '../../../../platform/web/archived.ts'
import { DraftHint, SuggestionDraftHint } from '../../../../platform/web/form/DraftHint.tsx'
import { FormOf } from '../../../../platform/web/form/FormOf.tsx'
import { useEditMode } from '../../../../platform/web/form/use-edit-mode.ts'
import { DetailHead } from '../../../../platform/web/kit/DetailHead.tsx'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { PrintButton } from '../../../../platform/web/kit/PrintButton.tsx'
import {
  ArchiveAction,
  ArchivedNotice,
  Comments,
  CommentsLink,
  FavoriteToggle,
  HistoryButton,
  RecordPanels,
  SuggestionsLink,
  useCheckIntervals,
} from '../../../../platform/web/record-features.tsx'
import { useTitle } from '../../../../platform/web/title.ts'

interface PageRecord {
  readonly _id: string
  readonly version: number
  /** Nothing of an archived record can be changed, except that it is restored. */
  readonly archived?: Archived | undefined
}

/** The props of the form of a record, which replaces its page. */
export interface RecordFormProps<T> {
  readonly record: T
  /** The key of its saved draft. */
  readonly draftKey: string
  readonly onClose: () => void
}

interface RecordForm<T> {
  /** Whether the user may save; everyone else may suggest changes. */
  readonly mayEdit: boolean
  readonly View: ComponentType<RecordFormProps<T>>
  /** The key of its saved draft, if it is not the form of the whole record. */
  readonly getDraftKey?: (record: T) => string
}

/** Opens the form of the page, to save or to suggest changes. */
export interface FormOpeners {
  readonly open: () => void
  readonly suggest: () => void
}

/** The head of a record's page, with what only this kind of record shows. */
export interface RecordHead extends Omit<ComponentProps<typeof DetailHead>, 'back' | 'title' | 'strip'> {
  /** A CheckCard; null if this record is not checked. */
  readonly check?: ReactNode
  /** The planned changes that belong to this page, by the start of their paths; null for none. */
  readonly plannedPrefix?: string | null
  /** Whether waiting suggestions are shown. */
  readonly hasSuggestions?: boolean
  /** The link to its other page: the last of the actions, or the main action if there is no other. */
  readonly otherPage?: ReactNode
}

interface RecordPageProps<T extends PageRecord> {
  readonly kind: RecordKind & EditableKind
  readonly query: ComponentProps<typeof LoadedRecord<T>>['query']
  readonly getName: (record: T) => string
  /** The title of the window, if it is not the name. */
  readonly getTitle?: (record: T) => string
  readonly history: HistoryParts
  /** A BackLink; while the record is loading, without it. */
  readonly renderBack: (record: T | undefined) => ReactNode
  /** The placeholder, if it is not that of a page with facts. */
  readonly skeleton?: ReactNode
  /** What is next to the name in the placeholder. */
  readonly beside?: ComponentProps<typeof DetailSkeleton>['beside']
  readonly form?: RecordForm<T>
  /** Above the head: a PrintLine. */
  readonly above?: ReactNode
  readonly renderHead: (record: T, openers: FormOpeners) => RecordHead
  readonly children: (record: T) => ReactNode
}

/** The page of a record: its head and content, or its form. */
export const RecordPage = <T extends PageRecord>(props: RecordPageProps<T>) => {
  const { kind, query, getName, getTitle = getName, history, renderBack, beside = 'picture', above, renderHead, children } = props
  const { skeleton = <DetailSkeleton beside={beside} /> } = props
  const { isEditing, isSuggesting, open, resume, suggest, resumeSuggesting, close } = useEditMode()
  const intervals = useCheckIntervals()
  const isKindChecked = CHECKED_KINDS.some((one) => one === kind && intervals[one] !== null)
  useTitle(query.data ? getTitle(query.data) : undefined)
  return (
    <LoadedRecord query={query} what={RECORD_NOUNS[kind][0]} back={renderBack(undefined)} skeleton={skeleton}>
      {(record) => {
        const { _id, version, archived } = record
        const name = getName(record)
        const form = archived ? undefined : props.form
        const archivable = { kind, _id, name, version, archived }
        const draftKey = form?.getDraftKey?.(record) ?? `${kind} ${_id}`
        if (form && (isSuggesting || (form.mayEdit && isEditing)))
          return (
            <FormOf kind={kind} _id={_id}>
              <Suspense fallback={<DetailSkeleton beside={beside} />}>
                <form.View key={draftKey} record={record} draftKey={draftKey} onClose={close} />
              </Suspense>
            </FormOf>
          )
        const { check, plannedPrefix = '', hasSuggestions = true, otherPage, ...head } = renderHead(record, { open, suggest })
        const mainAction = archived ? undefined : head.mainAction
        const shownCheck = isKindChecked && !archived ? check : null
        // On the page of the whole record.
        const hasComments = plannedPrefix === ''
        return (
          <ArchivedPage value={archived !== undefined}>
            {above}
            {form?.mayEdit ? <DraftHint key={draftKey} name={draftKey} onResume={resume} /> : null}
            {form ? <SuggestionDraftHint name={draftKey} onResume={resumeSuggesting} /> : null}
            <DetailHead
              {...head}
              back={renderBack(record)}
              title={name}
              mainAction={mainAction ?? otherPage}
              banner={archived ? <ArchivedNotice record={archivable} /> : head.banner}
              actions={
                <>
                  <FavoriteToggle kind={kind} _id={_id} />
                  <HistoryButton kind={kind} parts={history} _id={_id} name={name} />
                  {archived ? <PrintButton /> : head.actions}
                  {mainAction ? otherPage : null}
                  {hasComments ? <ArchiveAction record={archivable} /> : null}
                </>
              }
              line={
                <>
                  {head.line}
                  {hasSuggestions && !shownCheck ? <SuggestionsLink kind={kind} _id={_id} /> : null}
                  {hasComments ? <CommentsLink kind={kind} _id={_id} /> : null}
                </>
              }
              strip={
                <>
                  {shownCheck}
                  {plannedPrefix === null ? null : <RecordPanels kind={kind} _id={_id} prefix={plannedPrefix} />}
                </>
              }
            />
            {children(record)}
            {hasComments ? <Comments kind={kind} _id={_id} /> : null}
          </ArchivedPage>
        )
      }}
    </LoadedRecord>
  )
}
