import { useSyncExternalStore } from 'react'

import type { Values } from './values.ts'

/** Typing that was not saved: only the fields that were touched. */
export interface Draft {
  /** When it was typed last. */
  readonly at: string
  /** The version of the record it was based on; null for something new. */
  readonly version: number | null
  /** The versions of its rows that are records of their own. */
  readonly parts?: Readonly<Record<string, number>>
  /** The touched fields as they were before. */
  readonly base: Values
  readonly values: Values
  /** The page it was typed on, and its title; null for what is not listed among unsaved changes. */
  readonly page?: { readonly path: string; readonly title: string } | null
}

const PREFIX = 'homeroom.draft.'
let owner: string | null = null

/** Sets the account whose unsaved changes are stored from now on. Those of another account in the same browser are deleted, because this person could read them. */
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

/** Keeps what was typed through a reload, a crash and a dead session. */
export const saveDraft = (name: string, draft: Draft): void => {
  if (owner === null) return
  try {
    localStorage.setItem(getStorageKey(name), JSON.stringify({ page: getPage(), ...draft }))
  } catch {
    // A browser that keeps nothing, or is full: the form still has it.
  }
}

export const deleteDraft = (name: string): void => localStorage.removeItem(getStorageKey(name))

const readStoredText = (name: string): string | null => (owner === null ? null : localStorage.getItem(getStorageKey(name)))

export const readDraft = (name: string): Draft | null => {
  const kept = readStoredText(name)
  if (kept === null) return null
  try {
    return JSON.parse(kept) as Draft
  } catch {
    return null
  }
}

const subscribeToOtherTabs = (listener: () => void): (() => void) => {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}

/** Whether there is a draft; follows what other tabs save and discard. */
export const useHasDraft = (name: string): boolean => useSyncExternalStore(subscribeToOtherTabs, () => readStoredText(name) !== null)

export interface NamedDraft extends Draft {
  readonly name: string
  readonly page: NonNullable<Draft['page']>
}

/** All drafts of this account on this computer, the newest first. */
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
