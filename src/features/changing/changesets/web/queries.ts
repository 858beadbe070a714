import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { CheckedKind } from '../../../../contract/checks.ts'
import { formatDay } from '../../../../contract/dates.ts'
import { formatCount, type Noun } from '../../../../contract/format.ts'
import type { EditableKind } from '../../../../contract/records.ts'
import { useCan } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import type { ComingValue, FormPlan } from '../../../../platform/web/form/plan.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createChecks } from '../../checks/contract.ts'
import { rethrowWithin } from '../../requests/web/queries.ts'
import {
  applyBulkChange,
  type BulkChange,
  type BulkPreview,
  cancelPlannedChange,
  keepPlannedChange,
  listPlannedChanges,
  MAX_PLANNED_CHANGES,
  planChange,
  type PlannedChange,
  previewBulkChange,
  undoChangeset,
} from '../contract.ts'
import { getDayBefore, isLeftOut } from '../rules.ts'
import { runUndo } from './undo-saves.ts'

/** The preview of a change, requested again when it changes; none for null. The previous response stays until the next one. */
export const useBulkPreview = (bulk: BulkChange | null) =>
  useQuery({
    queryKey: ['bulk preview', bulk],
    meta: { shows: [] },
    queryFn: ({ signal }): Promise<BulkPreview | null> =>
      bulk === null ? Promise.resolve(null) : send(previewBulkChange, { body: bulk, signal }),
    enabled: bulk !== null,
    // Others may save in the meantime, so it is loaded each time the dialog opens.
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

export const listChangingRows = ({ rows }: BulkPreview): BulkPreview['rows'] =>
  rows.filter((row) => row.state === 'change' && !isLeftOut(row))

/** The values that a preview showed, so that a record that has other values now is not overwritten unseen. */
const toSeen = (rows: BulkPreview['rows']) =>
  Object.fromEntries(rows.map(({ _id, cells }) => [_id, Object.fromEntries(cells.map(({ path, before }) => [path, before]))]))

interface BulkSave {
  readonly bulk: BulkChange
  /** The rows of the preview that change; null if it has not arrived. */
  readonly rows: BulkPreview['rows'] | null
  /** A later day, for which the changes are planned. */
  readonly day: string | null
  /** What is saved, in words; otherwise the number of records is said. */
  readonly text?: string
}

/** Saves the rows of a preview together, or plans them for a day, and shows a message with Undo or a link. */
export const useBulkSave = (noun: Noun, onSaved: () => void | Promise<void>) =>
  useMutation({
    mutationFn: ({ bulk, rows: shown, day }: BulkSave) =>
      withSignIn(async () => {
        const rows = shown ?? listChangingRows(await send(previewBulkChange, { body: bulk }))
        // What leaves records as they are is shown first.
        if (shown === null && rows.length < bulk.ids.length) return null
        return send(applyBulkChange, {
          body: { ...bulk, ids: rows.map(({ _id }) => _id), seen: toSeen(rows), ...(day === null ? {} : { day }) },
        })
      }),
    onSuccess: async (saved, { day, text }) => {
      if (saved === null) return
      const { changeset, changed } = saved
      await onSaved()
      if (changeset)
        showSuccess({
          text: text ?? `${formatCount(changed, noun)} changed.`,
          link: { to: `/changes/${changeset._id}`, label: 'See what changed' },
          onUndo: () =>
            void runUndo(
              () => send(undoChangeset, { params: { id: changeset._id }, body: { overwrite: false } }),
              (count) => `${formatCount(count, noun)} changed back.`,
            ),
        })
      else if (day === null) showSuccess({ text: 'Nothing had to be changed.' })
      else
        showSuccess({
          text: text ?? `${formatCount(changed, 'change')} planned.`,
          link: { to: '/planned', label: 'See planned changes' },
        })
    },
    onSettled: () => void queryClient.invalidateQueries(),
  })

/** Confirms that everything in many records is correct. */
export const useCheckMany = (noun: Noun, onDone: () => void) =>
  useMutation({
    mutationFn: ({ kind, ids }: { kind: CheckedKind; ids: string[] }) => withSignIn(() => send(createChecks, { body: { kind, ids } })),
    onSuccess: ({ checked }) => {
      onDone()
      showSuccess({ text: `${formatCount(checked, noun)} checked as correct.` })
    },
    onError: (error) => showError(errorMessage(error)),
    onSettled: () => void queryClient.invalidateQueries(),
  })

/** All planned changes of a state, loaded in pages. */
export const useAllPlannedChanges = (state: PlannedChange['state']) =>
  useInfiniteQuery({
    queryKey: getQueryKey(listPlannedChanges, { query: { state } }),
    meta: { shows: listPlannedChanges.shows },
    queryFn: ({ pageParam, signal }) =>
      send(listPlannedChanges, { query: { state, ...(pageParam === undefined ? {} : { after: pageParam }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.length < MAX_PLANNED_CHANGES ? undefined : last.at(-1)?._id),
    select: ({ pages }) => pages.flat(),
  })

/** The pending planned changes of a record or about a person, for users who may plan them. */
export const usePlannedChanges = (
  of: { readonly kind: EditableKind; readonly record: string } | { readonly person: string },
): readonly PlannedChange[] => {
  const mayPlan = useCan('manage the network')
  const { data } = useQuery({ ...callQueryOptions(listPlannedChanges, { query: of }), enabled: mayPlan })
  return mayPlan && data ? data : NO_PLANS
}
const NO_PLANS: readonly PlannedChange[] = []

interface PlannedRecord {
  readonly kind: EditableKind
  readonly _id: string
  /** The prefix of this form's paths in the record: `facility_info`. */
  readonly prefix?: string
}

const toComing = (plans: readonly PlannedChange[], prefix: string | undefined): FormPlan['coming'] => {
  const start = prefix === undefined ? '' : `${prefix}.`
  const coming: Record<string, ComingValue[]> = {}
  for (const { day, by, fields } of plans)
    for (const { path, planned, plannedName } of fields)
      if (path.startsWith(start)) (coming[path.slice(start.length)] ??= []).push({ day, value: planned, name: plannedName, by })
  return coming
}

/** How a form plans its changes for a later day; null for users who may not plan. */
export const usePlan = ({ kind, _id, prefix }: PlannedRecord): FormPlan | null => {
  const plans = usePlannedChanges({ kind, record: _id })
  const coming = useMemo(() => toComing(plans, prefix), [plans, prefix])
  if (!useCan('manage the network')) return null
  return {
    coming,
    send: async (body, day) => {
      const changes = prefix === undefined ? body : { [prefix]: body }
      const { fields } = await send(planChange, { body: { kind, _id, day, changes } }).catch(rethrowWithin(prefix))
      void queryClient.invalidateQueries({ queryKey: getQueryKey(listPlannedChanges) })
      showSuccess({ text: `${formatCount(fields.length, 'change')} planned for ${formatDay(day)}.` })
    },
  }
}

/** Until when someone has a role at a site, if its end is planned, by the name of the role and the `_id` of the person. */
export const usePlannedEnds = (site: string): ((role: string, person: string) => string | null) => {
  const plans = usePlannedChanges({ kind: 'site', record: site })
  return (role, person) => {
    const isIn = (value: unknown) => Array.isArray(value) && value.includes(person)
    const ending = plans.find(
      ({ record, fields }) =>
        // A planned change of the person is listed for the site because it ends their roles there.
        record._id === person ||
        fields.some(({ path, label, present, planned }) => path.startsWith('roles.') && label === role && isIn(present) && !isIn(planned)),
    )
    return ending ? getDayBefore(ending.day) : null
  }
}

/** Cancels a planned change, or all that were planned with it; keeps one although the value has changed. */
export const usePlanDecision = (onDone: () => void) => {
  const common = {
    onSuccess: onDone,
    onError: (error: unknown) => showError(errorMessage(error)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: getQueryKey(listPlannedChanges) }),
  }
  const cancel = useMutation({
    ...common,
    mutationFn: ({ _id, all }: { _id: string; all: boolean }) =>
      withSignIn(() => send(cancelPlannedChange, { params: { id: _id }, query: all ? { all: 'true' } : {} })),
  })
  const keep = useMutation({ ...common, mutationFn: (_id: string) => withSignIn(() => send(keepPlannedChange, { params: { id: _id } })) })
  return { cancel, keep }
}
