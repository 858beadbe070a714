import { formatCount } from '../../../../contract/format.ts'
import { Problem } from '../../../../contract/problem.ts'
import { session } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { ConnectionLost, errorMessage, isSignedOut } from '../../../../platform/web/failures.ts'
import { listDrafts, saveDraft } from '../../../../platform/web/form/drafts.ts'
import { registerUnsaved } from '../../../../platform/web/form/open-forms.ts'
import { saveSuggestionNote } from '../../../../platform/web/form/suggestion.ts'
import { deleteWaiting, listWaiting, putWaiting, type WaitingMessage } from '../../../../platform/web/offline-storage.ts'
import { getCopy, isOffline } from '../../../../platform/web/offline.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import { createProposal } from '../contract.ts'

// Suggestions that were written without a network are kept with the copy of the directory, and sent when the network is back.

const waiting = createStore<readonly WaitingMessage[]>([])
export const useWaitingSuggestions = (): readonly WaitingMessage[] => useStore(waiting)

let unregister: (() => void) | undefined
/** Reads what waits; signing out then asks first, because it would be deleted. */
export const loadWaitingSuggestions = async (): Promise<void> => {
  const current = session.get()
  const all = getCopy() === null ? [] : await listWaiting()
  unregister?.()
  waiting.set(current.state === 'signed in' ? all.filter(({ account }) => account === current.user._id) : [])
  unregister = registerUnsaved('waiting suggestions', waiting.get().length > 0)
}

/** Keeps a suggestion until there is a connection. */
export const keepSuggestion = async (about: string, body: unknown, note: string | null): Promise<void> => {
  const current = session.get()
  if (current.state !== 'signed in') throw new Problem(401, 'Sign in first')
  const { pathname: path } = location
  const draft = listDrafts().find(({ name, page }) => name.startsWith('suggestion ') && page.path === path)
  await putWaiting({ account: current.user._id, about, path, body, note, draft })
  await loadWaitingSuggestions()
}

export const discardSuggestion = async (id: number): Promise<void> => {
  await deleteWaiting(id)
  await loadWaitingSuggestions()
}

/** Makes it an unsaved change of its form again. */
export const reopenSuggestion = async ({ id = 0, draft, note }: WaitingMessage): Promise<void> => {
  if (draft) saveDraft(draft.name, draft)
  if (draft && note !== null) saveSuggestionNote(draft.name, note)
  await discardSuggestion(id)
}

const sendOne = async (message: WaitingMessage & { readonly id: number }): Promise<boolean> => {
  try {
    await send(createProposal, { body: message.body as never })
    await deleteWaiting(message.id)
    return true
  } catch (error) {
    if (error instanceof ConnectionLost || isSignedOut(error)) throw error
    // It stays until someone has seen why.
    await putWaiting({ ...message, refusal: errorMessage(error) })
    return false
  }
}

const sendAll = async (): Promise<void> => {
  await loadWaitingSuggestions()
  let sent = 0
  for (const { id, refusal, ...message } of waiting.get())
    if (id !== undefined && refusal === undefined && (await sendOne({ ...message, id }))) sent++
  if (sent > 0)
    showSuccess({
      text: `${formatCount(sent, 'suggestion')} that waited for a connection ${sent === 1 ? 'is' : 'are'} sent.`,
      link: { to: '/requests', label: 'My Requests' },
    })
}

/** Sends what waits, from one window of the browser only. */
export const sendWaitingSuggestions = async (): Promise<void> => {
  if (isOffline() || getCopy() === null) return
  await navigator.locks.request('homeroom.waiting', sendAll).catch(() => undefined) // the next connection sends the rest
  await loadWaitingSuggestions()
}
