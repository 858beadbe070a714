import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import type { QueryOf } from '../../../../contract/call.ts'
import { formatMomentDay } from '../../../../contract/dates.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { EditableKind } from '../../../../contract/records.ts'
import { openChangeWindow } from '../../../../platform/web/change-window.ts'
import { send } from '../../../../platform/web/client.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { ConnectionLost, errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import type { FormSuggestion } from '../../../../platform/web/form/suggestion.ts'
import { useEditMode } from '../../../../platform/web/form/use-edit-mode.ts'
import { getCopy, noteConnection } from '../../../../platform/web/offline.ts'
import { getQueryKey, queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import type { SuggestedRecord } from '../../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'
import { showSuccess, showUndoable } from '../../../../platform/web/success-notice.ts'
import { truncateText } from '../../history/rules.ts'
import {
  answerRequest,
  createProposal,
  decideProposal,
  listContestedFields,
  listOwnRequests,
  listProposals,
  listRequests,
  readProposal,
  readRequest,
  retryRequestMail,
  updateProposal,
  withdrawProposal,
} from '../contract.ts'
import type { ContestedField, Proposal, ProposalDecision, ProposedField, RequestRecord, RequestState } from '../contract.ts'
import { formatFieldValue } from '../rules.ts'
import { acceptField, buildDecision, listFields } from './decision.ts'

export { canAcceptInList, formatField } from './decision.ts'

type RequestFilter = QueryOf<typeof listRequests>

/** Requests for users who answer them; the previous result stays while another one loads. */
export const useRequests = ({ state, kind, q }: RequestFilter) =>
  useQuery({
    ...callQueryOptions(listRequests, { query: { ...(state ? { state } : {}), ...(kind ? { kind } : {}), ...(q ? { q } : {}) } }),
    placeholderData: keepPreviousData,
  })

export const useOwnRequests = () => useQuery(callQueryOptions(listOwnRequests))
export const useRequest = (id: string) => useQuery(callQueryOptions(readRequest, { params: { id } }))

/** Reloads all lists and single requests. */
export const invalidateRequests = (): void => {
  for (const call of [listRequests, listOwnRequests, readRequest, listProposals, listContestedFields, readProposal])
    void queryClient.invalidateQueries({ queryKey: getQueryKey(call) })
}

export interface Answer {
  readonly state: RequestState
  readonly word: string | null
}

/** Answers a request based on the version that was read; reloads it afterward, because someone else may have answered it. */
export const useAnswer = ({ _id, version }: RequestRecord) =>
  useMutation({
    mutationFn: (answer: Answer) => withSignIn(() => send(answerRequest, { params: { id: _id }, body: answer, version })),
    onSettled: invalidateRequests,
  })

export const useRetryMail = ({ _id }: RequestRecord) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(retryRequestMail, { params: { id: _id } })),
    onSettled: invalidateRequests,
  })

type ProposalState = 'open' | 'decided' | 'mine'

export const useProposal = (id: string, isNeeded = true) =>
  useQuery({ ...callQueryOptions(readProposal, { params: { id } }), enabled: isNeeded })
/** Proposals in a state. */
export const useProposals = (state: ProposalState, isNeeded = true) =>
  useQuery({ ...callQueryOptions(listProposals, { query: { state } }), enabled: isNeeded })

/** The open suggestions for a record that the user sent or may decide. */
export const useRecordSuggestions = (kind: EditableKind, _id: string) =>
  useQuery(callQueryOptions(listProposals, { query: { state: 'open', kind, record: _id } }))

/** Whether a suggestion for a field is waiting. */
export const useHasSuggestion = (kind: EditableKind, _id: string, path: string): boolean => {
  const { data: proposals = [] } = useRecordSuggestions(kind, _id)
  return proposals.some(({ fields }) => fields.some((field) => field.path === path && isOpen(field)))
}

/** Sends a decision based on the version that was read; reloads everything afterward, because records have changed as well. */
export const useDecision = ({ _id, version }: Proposal) =>
  useMutation({
    mutationFn: (body: ProposalDecision) => withSignIn(() => send(decideProposal, { params: { id: _id }, body, version })),
    onSettled: () => void queryClient.invalidateQueries(),
  })

const isOpen = ({ state }: ProposedField): boolean => state === 'open'

/** Suggestions that were accepted from a list and can still be undone. */
const accepted = createStore<ReadonlySet<string>>(new Set())
export const useIsAccepted = (_id: string): boolean => useStore(accepted).has(_id)

/** Accepts a suggestion of one field as it is shown: 'Accepted: Fax, Lodi. Undo'. The sender gets an email when it can no longer be undone. */
export const acceptFromList = ({ _id, version, fields, record }: Proposal): void => {
  const forget = () => accepted.set(new Set([...accepted.get()].filter((one) => one !== _id)))
  const choices = Object.fromEntries(fields.filter(isOpen).map((field) => [field.path, acceptField(field)]))
  accepted.set(new Set([...accepted.get(), _id]))
  showUndoable({
    text: `Accepted: ${listFields(fields)}, ${record.name}.`,
    onUndo: forget,
    run: () =>
      void withSignIn(() => send(decideProposal, { params: { id: _id }, body: buildDecision(fields, choices), version, keepalive: true }))
        .catch((error: unknown) => showError(errorMessage(error)))
        .finally(() => void queryClient.invalidateQueries().then(forget)),
  })
}

export const useWithdrawal = ({ _id, version }: Proposal) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(withdrawProposal, { params: { id: _id }, version })),
    onSettled: invalidateRequests,
  })

const SENT = 'Your suggestion is sent. You can change or withdraw it under My Requests until it is decided.'

/** Converts error paths to those of the form. */
export const rethrowWithin =
  (prefix: string | undefined) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || !error.errors || prefix === undefined) throw error
    const start = `${prefix}.`
    throw new Problem(error.status, error.message, {
      errors: error.errors.map(({ path, message }) => ({ path: path.startsWith(start) ? path.slice(start.length) : path, message })),
    })
  }

const formatContested = ({ path, sender, createdAt, suggested, suggestedName }: ContestedField): string =>
  sender === null || createdAt === null
    ? 'Another change of this field is already waiting. Both are decided together.'
    : `${sender} suggested ${truncateText(formatFieldValue(path, suggested, suggestedName))} on ${formatMomentDay(createdAt, configuration.timeZone)}. Both are decided together.`

/** What others have already suggested, as text, by path. */
const useContested = (kind: EditableKind, record: string, isNeeded: boolean): Readonly<Record<string, string>> => {
  const { data } = useQuery({ ...callQueryOptions(listContestedFields, { query: { kind, record } }), enabled: isNeeded })
  return useMemo(() => {
    const byPath = Map.groupBy(data ?? [], ({ path }) => path)
    return Object.fromEntries([...byPath].map(([path, fields]) => [path, fields.map(formatContested).join('\n')]))
  }, [data])
}

/** The entries of a record by path that belong to a form, by the paths of the form. */
const pickWithin = <Value>(prefix: string | undefined, values: Readonly<Record<string, Value>>): Record<string, Value> => {
  const start = prefix === undefined ? '' : `${prefix}.`
  return Object.fromEntries(
    Object.entries(values).flatMap(([path, value]) => (path.startsWith(start) ? [[path.slice(start.length), value]] : [])),
  )
}

/** How a form suggests changes, if its URL says so (`?edit=suggest`); with `suggestion`, an earlier one is changed. */
export const useSuggestion = ({ kind, _id, name, version, prefix, site }: SuggestedRecord): FormSuggestion => {
  const { isSuggesting } = useEditMode()
  const [{ suggestion: earlier }] = useSearchParams()
  const navigate = useNavigate()
  const { data, isPending } = useProposal(earlier ?? '', isSuggesting && earlier !== undefined)
  const contested = useContested(kind, _id, isSuggesting)
  if (!isSuggesting) return null
  if (earlier !== undefined && isPending) return 'loading'
  const open = data?.fields.filter(isOpen) ?? []
  return {
    about: name,
    note: data?.note ?? '',
    earlier: earlier ?? null,
    values: pickWithin(prefix, Object.fromEntries(open.map(({ path, suggested }) => [path, suggested]))),
    labels: pickWithin(prefix, Object.fromEntries(open.map(({ path, label }) => [path, label]))),
    contested: pickWithin(prefix, contested),
    onDescribe: () => openChangeWindow({ site: site ?? null, name }),
    send: async (body, note) => {
      const changes = prefix === undefined ? body : { [prefix]: body }
      if (data && earlier !== undefined) {
        await send(updateProposal, { params: { id: earlier }, body: { changes, note }, version: data.version }).catch(rethrowWithin(prefix))
        invalidateRequests()
        await navigate({ to: '/requests/$id', params: { id: earlier }, ignoreBlocker: true })
        showSuccess({ text: 'Your suggestion was changed.' })
        return
      }
      const based = version === undefined ? {} : { basedOn: version }
      const proposal = { record: { kind, _id }, ...based, changes, note }
      const made = await send(createProposal, { body: proposal }).catch(async (error: unknown) => {
        if (!(error instanceof ConnectionLost) || getCopy() === null) return rethrowWithin(prefix)(error)
        const { keepSuggestion } = await import('./waiting-suggestions.ts')
        await keepSuggestion(name, proposal, note)
        noteConnection(true)
        return null
      })
      if (made === null) return showSuccess({ text: 'Your suggestion is kept on this device, and sent when there is a connection.' })
      const { _id: sent } = made
      invalidateRequests()
      showSuccess({ text: SENT, link: { to: `/requests/${sent}`, label: 'See it' } })
    },
  }
}
