import { useSyncExternalStore } from 'react'

import type { RecordSnapshot } from './record-parts.ts'
import { isSameValue, type Values } from './values.ts'

/** Unsaved changes: only the fields that were touched. */
export interface Draft {
  /** When it was last changed. */
  readonly at: string
  /** The version of the record it is based on; null for a new record. */
  readonly version: number | null
  /** The versions of rows that are separate records. */
  readonly parts?: Readonly<Record<string, number>>
  /** The original values of the touched fields. */
  readonly base: Values
  readonly values: Values
  /** The path and title of the page it was typed on; null if it is not listed among unsaved changes. */
  readonly page?: { readonly path: string; readonly title: string } | null
}

const PREFIX = 'homeroom.draft.'
let owner: string | null = null

/** Sets the account whose unsaved changes are stored. Deletes those of another account in this browser, since this person could read them. */
export const setDraftOwner = (account: string | null): void => {
  owner = account
  if (account === null) return
  const others = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}${account}.`))
  for (const key of others) localStorage.removeItem(key)
}

const getStorageKey = (name: string): string => `${PREFIX}${owner}.${name}`

const getPage = (): Draft['page'] => ({
  path: window.location.pathname,
  title: document.title.replace(/ - Homeroom$/, ''),
})

/** Stores unsaved changes so that they survive a reload, a crash and an expired session. */
export const saveDraft = (name: string, draft: Draft): void => {
  if (owner === null) return
  try {
    localStorage.setItem(getStorageKey(name), JSON.stringify({ page: getPage(), ...draft }))
  } catch {
    // Storage is disabled or full: the form still has the changes.
  }
}

export const deleteDraft = (name: string): void => localStorage.removeItem(getStorageKey(name))

const readStoredText = (name: string): string | null => (owner === null ? null : localStorage.getItem(getStorageKey(name)))

export const readDraft = (name: string): Draft | null => {
  const stored = readStoredText(name)
  if (stored === null) return null
  try {
    return JSON.parse(stored) as Draft
  } catch {
    return null
  }
}

const subscribeToOtherTabs = (listener: () => void): (() => void) => {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** Whether there is a draft; updated when other tabs save or discard it. */
export const useHasDraft = (name: string): boolean => useSyncExternalStore(subscribeToOtherTabs, () => readStoredText(name) !== null)

export interface NamedDraft extends Draft {
  readonly name: string
  readonly page: NonNullable<Draft['page']>
}

/** All drafts of this account on this device, newest first. */
export const listDrafts = (): NamedDraft[] => {
  const prefix = getStorageKey('')
  return Object.keys(localStorage)
    .filter((key) => owner !== null && key.startsWith(prefix))
    .flatMap((key): NamedDraft[] => {
      const name = key.slice(prefix.length)
      const draft = readDraft(name)
      return draft?.page ? [{ ...draft, name, page: draft.page }] : []
    })
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

/** The part of a draft that has not been stored in the meantime; null if nothing is left. */
export const getUnsavedDraft = (draft: Draft | null, { values }: RecordSnapshot): Draft | null =>
  draft && Object.entries(draft.values).some(([path, value]) => !(path in values) || !isSameValue(value, values[path])) ? draft : null
