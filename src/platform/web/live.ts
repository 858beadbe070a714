import { createContext } from 'react'

import type { SheetRecordKind } from '../../contract/records.ts'
import { createStore, useStore } from './store.ts'

/** Whether the server tells this browser of changes as they happen. */
export const isLive = createStore(false)

/** How often something is read again: never while the server says what changes. */
export const usePollInterval = (everyMs: number): number | false => (useStore(isLive) ? false : everyMs)

/** A record that someone has changed, in this browser or elsewhere. */
export interface ChangedRecord {
  readonly kind: string
  readonly _id: string
}

const listeners = new Set<(records: readonly ChangedRecord[] | 'any') => void>()
/** Adds a listener that gets the records others have changed, `any` if it is not known which; returns a function that removes it. */
export const onRecordsChanged = (listener: (records: readonly ChangedRecord[] | 'any') => void): (() => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const reportRecordsChanged = (records: readonly ChangedRecord[] | 'any'): void => {
  for (const listener of listeners) listener(records)
}

/** The record of a form. */
export interface FormRecord {
  readonly kind: SheetRecordKind
  readonly _id: string
  /** Its `_id` in the history, if the form knows it by another one. */
  readonly changedAs?: string | undefined
}
export const FormRecordContext = createContext<FormRecord | null>(null)

/** The forms that are open in this tab, by a key of their own. */
export const openForms = createStore<ReadonlyMap<string, FormRecord>>(new Map())
/** The others who have a form of the same record open, by the same key. */
export const editorsOfForms = createStore<ReadonlyMap<string, readonly string[]>>(new Map())

const without = <T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> =>
  new Map([...map].filter(([known]) => known !== key))

/** Says that a form is open; returns a function that says it is closed. */
export const registerForm = (key: string, record: FormRecord): (() => void) => {
  openForms.set(new Map([...openForms.get(), [key, record]]))
  return () => {
    openForms.set(without(openForms.get(), key))
    editorsOfForms.set(without(editorsOfForms.get(), key))
  }
}
