import { use, useEffect, useMemo, useRef, useState } from 'react'

import { FormRecordContext, onRecordsChanged } from '../live.ts'
import { type Conflict, mergeEdits, type MergeResult } from './merge.ts'
import type { RecordSnapshot } from './record-parts.ts'
import { changedPaths, type Values } from './values.ts'

/** What someone else has saved while the form was open, and how it goes together with the unsaved changes. */
export interface SavedElsewhere {
  readonly theirs: RecordSnapshot
  readonly merge: MergeResult
}

export interface SavedElsewhereState {
  /** Null for nothing that the form shows. */
  readonly savedElsewhere: SavedElsewhere | null
  /** Puts what they saved into the form, or shows the conflicts with it. */
  readonly takeOverSaved: () => void
  /** Leaves that to the save. */
  readonly postponeSaved: () => void
}

interface SavedElsewhereOptions {
  readonly base: Values
  readonly values: Values
  readonly isSaving: boolean
  readonly reload: ((base: Values, part: string | null) => Promise<RecordSnapshot>) | undefined
  readonly takeOver: (values: Values, theirs: RecordSnapshot) => void
  readonly setConflict: (conflict: Conflict) => void
}

/** Reads the record of the form again when someone else saves it; null if nothing that the form shows has changed. */
export const useSavedElsewhere = (options: SavedElsewhereOptions): SavedElsewhereState => {
  const { base, values, takeOver, setConflict } = options
  const record = use(FormRecordContext)
  const [theirs, setTheirs] = useState<RecordSnapshot | null>(null)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!record) return undefined
    const read = async (): Promise<void> => {
      // A save compares by itself.
      const { reload, isSaving, base: from } = latest.current
      if (reload && !isSaving) setTheirs(await reload(from, null))
    }
    const isOfRecord = ({ kind, _id }: { kind: string; _id: string }): boolean =>
      kind === record.kind && (_id === record._id || _id === record.changedAs)
    return onRecordsChanged((records) => {
      // What could not be read now is found when the form is saved.
      if (records === 'any' || records.some(isOfRecord)) void read().catch(() => {})
    })
  }, [record])
  const savedElsewhere = useMemo(
    () => (theirs && changedPaths(base, theirs.values).length > 0 ? { theirs, merge: mergeEdits(base, values, theirs.values) } : null),
    [theirs, base, values],
  )
  const takeOverSaved = (): void => {
    setTheirs(null)
    if (!savedElsewhere) return
    const { theirs: saved, merge } = savedElsewhere
    if (merge.conflicts.length > 0) setConflict({ merge, before: base, mine: values, theirs: saved, part: null })
    else takeOver(merge.values, saved)
  }
  return { savedElsewhere, takeOverSaved, postponeSaved: () => setTheirs(null) }
}
