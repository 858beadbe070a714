import type { Call } from '../../contract/call.ts'
import type { User } from '../../contract/user.ts'
import { createStore, useStore } from './store.ts'

// What a browser that keeps the directory has to know before it loads the rest: a note in local storage, and whether the network is there.

/** Whose copy this browser has, and how fresh it is. */
export interface Copy {
  readonly user: User
  /** The token of the session that holds it. */
  readonly token: string
  /** What the next request for changes begins with. */
  readonly since: string
  /** When the server was reached last, and how many days the copy stays without it. */
  readonly confirmedAt: string
  readonly days: number
  /** What it contains: '300 sites, 2,164 people'. */
  readonly contents: string
}

const KEY = 'homeroom.copy'
/** The database of the browser with the copy, and with suggestions that wait for a connection. */
export const DATABASE = 'homeroom'
const DAY_MS = 24 * 60 * 60_000

const readNote = (): Copy | null => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Copy | null
  } catch {
    return null
  }
}
const copy = createStore<Copy | null>(readNote())
export const getCopy = (): Copy | null => copy.get()
export const useCopy = (): Copy | null => useStore(copy)
export const onCopyChange = copy.subscribe

export const setCopy = (next: Copy): void => {
  localStorage.setItem(KEY, JSON.stringify(next))
  copy.set(next)
}

/** Removes everything of the directory from this device. */
export const removeCopy = (): void => {
  localStorage.removeItem(KEY)
  // Without a copy there is no database, so it is not created to be deleted.
  if (copy.get() !== null) indexedDB.deleteDatabase(DATABASE)
  copy.set(null)
  noteConnection(false)
}

/** Removes a copy that is too old, and one that another window has removed. */
export const expireCopy = (): void => {
  const held = copy.get()
  if (held === null) return
  if (readNote() === null || Date.now() > Date.parse(held.confirmedAt) + held.days * DAY_MS) removeCopy()
}

/** Why something is gray without a network. */
export const NEEDS_CONNECTION = 'Needs a connection'

/** Since when pages are answered from the copy; null while the server is reached. */
const offlineSince = createStore<Date | null>(null)
export const isOffline = (): boolean => offlineSince.get() !== null
export const useIsOffline = (): boolean => useStore(offlineSince) !== null
export const onConnectionChange = offlineSince.subscribe
export const noteConnection = (isLost: boolean): void => {
  if (isLost !== isOffline()) offlineSince.set(isLost ? new Date() : null)
}

/** The inputs of a call. */
export interface AskedInputs {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}
/** Answers a call from the copy; undefined if it needs the server. A missing record is a `Problem`, as from the server. */
export type AnswerOffline = (call: Call, inputs: AskedInputs) => Promise<{ readonly answer: unknown } | undefined>

let loadAnswers: (() => Promise<AnswerOffline>) | undefined
/** Sets how calls are answered from the copy; the code for it is loaded with the first one. */
export const setOfflineAnswers = (load: () => Promise<AnswerOffline>): void => {
  loadAnswers = load
}

export const answerOffline: AnswerOffline = async (call, inputs) => {
  expireCopy()
  if (copy.get() === null || call.method !== 'GET' || loadAnswers === undefined) return undefined
  return (await loadAnswers())(call, inputs)
}

/** How long a page waits for the server before it shows the copy, until the answer is there. */
export const SHOW_COPY_AFTER_MS = 300
