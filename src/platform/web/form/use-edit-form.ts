import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'

import { Problem } from '../../../contract/problem.ts'
import { clearError, showError } from '../error-banner.ts'
import { isSignedOut, errorMessage } from '../failures.ts'
import { deleteDraft, saveDraft, readDraft } from './drafts.ts'
import type { Draft } from './drafts.ts'
import { groupErrorsByField, validateValues, findRequiredFields } from './fields.ts'
import type { CrossFieldRules, FormField } from './fields.ts'
import { runAfterPress, focusField } from './focus-field.ts'
import { mergeEdits } from './merge.ts'
import type { MergeResult } from './merge.ts'
import { registerOpenForm, registerUnsaved, withSignIn } from './open-forms.ts'
import { isInPart, NO_PARTS, limitToPart, replaceParts, StalePartError, rebaseParts } from './record-parts.ts'
import type { PartVersions, RecordSnapshot } from './record-parts.ts'
import { useEditMode } from './use-edit-mode.ts'
import { toBody, changedPaths, isSameValue, pick } from './values.ts'
import type { FieldValue, Values } from './values.ts'

/** What travels: the changed fields of a record, or all of a new one, which has no version. */
export interface FormEdit {
  readonly body: Record<string, unknown>
  readonly version?: number
  /** Of parts that are records of their own: the versions this is based on. */
  readonly parts?: PartVersions
}

/** The fields of a form: fixed, or those of the parts that the record has. */
export type FormFields = Readonly<Record<string, FormField>> | ((base: Values) => Readonly<Record<string, FormField>>)

/** Two edits of one record, of which some fields clash. */
export interface Conflict {
  readonly merge: MergeResult
  readonly before: Values
  readonly mine: Values
  readonly theirs: RecordSnapshot
  /** The one part that was being saved; null for all. */
  readonly part: string | null
}

export interface FormOptions {
  /** What its unsaved typing is kept under. */
  readonly name: string
  readonly fields: FormFields
  readonly schema: z.ZodType
  readonly crossFieldRules?: CrossFieldRules | undefined
  readonly record: RecordSnapshot
  /** What it holds at first beside the record: the values of a suggestion that is changed. */
  readonly startValues?: Values | undefined
  /** Why nothing is sent where nothing is changed; without it, it is sent. */
  readonly emptyMessage?: string | undefined
  /** What else is set along with a field: the state of a chosen region. */
  readonly derivedValues?: ((path: string, value: FieldValue, before: Values) => Values) | undefined
  /**
   * Saves what was changed, on top of the version it was based on. A form of several records does so call by call, signs in again where one of
   * them needs it (`withSignIn`), and tells after each what is saved: where a later one fails, that is neither sent again nor taken for unsaved.
   */
  readonly send: (edit: FormEdit, isSaved: MarkSaved) => Promise<unknown>
  /** The record as it is now; needed where it has a version. `part` is the one that someone else has saved, where it is known. */
  readonly reload?: ((base: Values, part: string | null) => Promise<RecordSnapshot>) | undefined
  /** `mergedWith` is who saved it in the meantime, where their fields and these were put together. */
  readonly onSaved: (answer: unknown, mergedWith: RecordSnapshot | null) => void
  /** A form of several records: what follows where a part is saved alone; `isLast` where nothing else is unsaved. */
  readonly onPartSaved?: ((part: string, isLast: boolean, mergedWith: RecordSnapshot | null) => void) | undefined
}

/** Tells that parts of a form are saved, by what their paths begin with, and how all of it is now. */
export type MarkSaved = (now: RecordSnapshot, parts: readonly string[]) => void

export interface FormState {
  readonly fields: Readonly<Record<string, FormField>>
  /** The versions of the parts that are there. */
  readonly parts: PartVersions
  readonly values: Values
  readonly base: Values
  readonly changed: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  readonly required: ReadonlySet<string>
  readonly isSaving: boolean
  readonly draft: Draft | null
  readonly conflict: Conflict | null
  readonly set: (path: string, value: FieldValue) => void
  /** The reader left a field: it is checked. */
  readonly handleBlur: (path: string) => void
  readonly undo: (path: string) => void
  readonly block: (path: string, reason: string | null) => void
  /** Saves what was changed; of a part, by what its paths begin with, just that. */
  readonly save: (part?: string) => Promise<void>
  /** Takes parts up as they are now: saved, added or gone by another way than the form's. */
  readonly updateParts: MarkSaved
  /** Puts the offered draft into the form; where the record has changed since, both are shown. */
  readonly restoreDraft: () => void
  readonly discardDraft: () => void
  /** Saves both edits together, with what was chosen where they clash. */
  readonly saveMerged: (chosen: Values) => Promise<void>
  /** With the texts that were put together in the meantime: they are typing too. */
  readonly returnToForm: (texts: Values) => void
}

interface Attempt {
  readonly base: Values
  readonly values: Values
  readonly version: number | null
  readonly parts: PartVersions
  readonly mergedWith: RecordSnapshot | null
  readonly part: string | null
}

const isStale = (error: unknown): boolean => error instanceof Problem && error.status === 412
/** Someone who saves again each time the user's own save comes along: then the user sees a message. */
const MAX_MERGES = 5

/** A line as its field writes it; one that no one touched stays as it is stored. */
const formatLine = (field: FormField | undefined, value: FieldValue, before: FieldValue | undefined): FieldValue =>
  field?.kind === 'line' && field.format && typeof value === 'string' && !isSameValue(value, before) ? field.format(value) : value

/** What of a draft is not stored in the meantime; null where all of it is. */
const getUnsavedDraft = (draft: Draft | null, { values }: RecordSnapshot): Draft | null =>
  draft && Object.entries(draft.values).some(([path, value]) => !(path in values) || !isSameValue(value, values[path])) ? draft : null

/** A form on a record: what is typed, what is wrong, what was changed, saving it, and losing nothing on the way. */
export const useEditForm = (options: FormOptions): FormState => {
  const { name, schema, record } = options
  const isNew = record.version === null
  const [base, setBase] = useState({ values: record.values, version: record.version, parts: record.parts ?? NO_PARTS })
  const { fields: known } = options
  const fields = useMemo(() => (typeof known === 'function' ? known(base.values) : known), [known, base.values])
  const [values, setValues] = useState(() => ({ ...record.values, ...options.startValues }))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const [draft, setDraft] = useState(() => getUnsavedDraft(readDraft(name), record))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const isDone = useRef(false)
  const isBusy = useRef(false)
  const blocks = useRef<Readonly<Record<string, string>>>({})

  const paths = useMemo(() => Object.keys(fields), [fields])
  const required = useMemo(() => findRequiredFields(schema, paths), [paths, schema])
  const changed = useMemo(() => changedPaths(base.values, values), [base, values])

  const latest = useRef({ values, base, fields, options })
  useEffect(() => {
    latest.current = { values, base, fields, options }
  })
  useEffect(registerOpenForm, [])
  useEffect(() => registerUnsaved(name, changed.length > 0), [name, changed])
  useEffect(() => {
    if (isDone.current) return
    if (changed.length > 0) {
      const before = draft ?? { base: {}, values: {} }
      saveDraft(name, {
        at: new Date().toISOString(),
        // What was offered may be older than what is on the screen: a later save then merges from there.
        version: draft ? draft.version : base.version,
        parts: {
          ...Object.fromEntries(Object.entries(base.parts).filter(([part]) => changed.some((path) => isInPart(part, path)))),
          ...draft?.parts,
        },
        base: { ...before.base, ...pick(base.values, changed) },
        values: { ...before.values, ...pick(values, changed) },
      })
    } else if (draft) saveDraft(name, draft)
    else deleteDraft(name)
  }, [name, base, values, changed, draft])

  /** What is wrong with what would be sent; fields that cannot be filled in now are not judged. */
  const judge = useCallback((now: Values, from: Values): Readonly<Record<string, string>> => {
    const { fields } = latest.current
    const { schema, crossFieldRules } = latest.current.options
    const all = Object.keys(fields)
    const sent = latest.current.options.record.version === null ? all : changedPaths(from, now)
    const judged = all.filter((path) => !fields[path]?.isDisabled?.(now))
    return { ...validateValues(schema, pick(now, sent), judged, crossFieldRules?.(now, sent) ?? []), ...blocks.current }
  }, [])

  const set = useCallback((path: string, value: FieldValue) => {
    setValues((before) => ({ ...before, ...latest.current.options.derivedValues?.(path, value, before), [path]: value }))
    setErrors(({ [path]: gone, ...others }) => (gone === undefined ? { ...others } : others))
  }, [])
  const handleBlur = useCallback(
    (path: string) => {
      const field = latest.current.fields[path]
      const typed = latest.current.values[path]
      const before = latest.current.base.values[path]
      const kept = formatLine(field, typed ?? null, before)
      const now = { ...latest.current.values, [path]: kept }
      if (kept !== typed) setValues((others) => ({ ...others, [path]: kept }))
      const { [path]: wrong } = judge(now, latest.current.base.values)
      // A required field that was only passed through is not complained about before saving.
      const passedThrough = kept === '' && before === ''
      if (wrong !== undefined && !passedThrough) runAfterPress(() => setErrors((before) => ({ ...before, [path]: wrong })))
    },
    [judge],
  )
  const undo = useCallback(
    (path: string) => {
      set(path, latest.current.base.values[path] ?? null)
      // The button that was pressed goes with the mark.
      focusField(path)
    },
    [set],
  )

  const block = useCallback((path: string, reason: string | null) => {
    const { [path]: before, ...others } = blocks.current
    blocks.current = reason === null ? others : { ...others, [path]: reason }
    if (reason === null && before !== undefined)
      setErrors(({ [path]: current, ...rest }) => (current === undefined || current === before ? rest : { ...rest, [path]: current }))
  }, [])

  const showErrors = (found: Readonly<Record<string, string>>): void => {
    setErrors(found)
    const first = Object.keys(latest.current.fields).find((path) => path in found)
    if (first !== undefined) focusField(first)
  }

  const updateParts: MarkSaved = (now, parts) => {
    const all = [...parts, ...Object.keys(now.parts ?? NO_PARTS).filter((one) => !(one in latest.current.base.parts))]
    setBase((before) => rebaseParts(before, now, all))
    setValues((before) => replaceParts(before, now.values, all))
    setErrors((before) => replaceParts(before, {}, all))
  }

  /** One save, with whatever has to be done for it to get through; false where the reader has to do something first. */
  const attempt = async (given: Attempt, merges = 0): Promise<boolean> => {
    const { send, reload, onSaved, onPartSaved } = latest.current.options
    const { part, mergedWith } = given
    let seen = { values: given.base, version: given.version, parts: given.parts }
    let mine = given.values
    const isSaved: MarkSaved = (now, saved) => {
      seen = rebaseParts(seen, now, saved)
      mine = replaceParts(mine, now.values, saved)
      updateParts(now, saved)
    }
    const sent = seen.version === null ? mine : pick(mine, changedPaths(seen.values, mine))
    const edit = { body: toBody(sent), ...(seen.version === null ? {} : { version: seen.version }), parts: seen.parts }
    try {
      const answer = await (onPartSaved ? send(edit, isSaved) : withSignIn(() => send(edit, isSaved)))
      if (part !== null && onPartSaved) {
        const isLast = changedPaths(seen.values, latest.current.values).every((path) => isInPart(part, path))
        onPartSaved(part, isLast, mergedWith)
        return true
      }
      isDone.current = true
      deleteDraft(name)
      onSaved(answer, mergedWith)
      return true
    } catch (error) {
      if (!isStale(error) || !reload || merges >= MAX_MERGES) throw error
      const now = await withSignIn(() => reload(seen.values, error instanceof StalePartError ? error.part : null))
      const theirs = part === null ? now : limitToPart(part, now, seen)
      const merge = mergeEdits(seen.values, mine, theirs.values)
      if (merge.conflicts.length > 0) {
        setConflict({ merge, before: seen.values, mine, theirs, part })
        return false
      }
      return attempt(goOn(theirs, merge.values, part), merges + 1)
    }
  }
  /** Takes up what someone else has saved, with what is to be saved on top of it. */
  const goOn = (theirs: RecordSnapshot, together: Values, part: string | null): Attempt => {
    const parts = theirs.parts ?? NO_PARTS
    setBase({ values: theirs.values, version: theirs.version, parts })
    setValues((before) => (part === null ? together : replaceParts(before, together, [part])))
    return { base: theirs.values, values: together, version: theirs.version, parts, mergedWith: theirs, part }
  }
  const run = async (given: Attempt): Promise<void> => {
    const focused = document.activeElement
    isBusy.current = true
    setSaving(true)
    clearError()
    try {
      await attempt(given)
    } catch (error) {
      // Someone who declined to sign in again has left the page.
      if (isSignedOut(error)) return
      const current = error instanceof Problem ? groupErrorsByField(error.errors ?? [], paths) : {}
      if (Object.keys(current).length > 0) showErrors(current)
      else showError(errorMessage(error))
    } finally {
      isBusy.current = false
      setSaving(false)
      // The form was inert in the meantime.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && focused instanceof HTMLElement && focused.isConnected) focused.focus()
      })
    }
  }

  const save = async (part?: string): Promise<void> => {
    if (isBusy.current) return
    // The field one is still in is formatted as if it had been left.
    const all = Object.fromEntries(
      Object.entries(values).map(([path, value]) => [path, formatLine(fields[path], value, base.values[path])]),
    )
    setValues(all)
    if (options.emptyMessage !== undefined && changedPaths(base.values, all).length === 0) {
      showError(options.emptyMessage)
      const [first] = paths
      if (first !== undefined) focusField(first)
      return
    }
    const now = part === undefined ? all : replaceParts(base.values, all, [part])
    const found = judge(now, base.values)
    if (Object.keys(found).length > 0) return showErrors(found)
    setErrors((before) => (part === undefined ? {} : replaceParts(before, {}, [part])))
    await run({ base: base.values, values: now, version: base.version, parts: base.parts, mergedWith: null, part: part ?? null })
  }

  const restoreDraft = () => {
    if (!draft) return
    const from = { ...base.values, ...draft.base }
    const typed = { ...values, ...draft.values, ...pick(values, changed) }
    const merge = mergeEdits(from, typed, base.values)
    const hasGoneRow = Object.keys(draft.values).some((path) => !(path in base.values))
    setDraft(null)
    if (isNew || (merge.conflicts.length === 0 && !hasGoneRow)) return setValues(isNew ? typed : merge.values)
    // The draft is older than the record: the form continues from what the draft was based on, so that saving compares the two as well.
    const parts = Object.fromEntries(Object.entries(base.parts).map(([part, version]) => [part, draft.parts?.[part] ?? version]))
    setBase({ values: from, version: draft.version, parts })
    setValues(typed)
    if (merge.conflicts.length > 0) setConflict({ merge, before: from, mine: typed, theirs: { ...record, ...base }, part: null })
  }
  const { isResuming } = useEditMode()
  const mayResume = useRef(isResuming)
  useEffect(() => {
    if (mayResume.current) restoreDraft()
    mayResume.current = false
  })

  const saveMerged = async (chosen: Values): Promise<void> => {
    if (!conflict) return
    const { merge, theirs, part } = conflict
    setConflict(null)
    await run(goOn(theirs, { ...merge.values, ...chosen }, part))
  }
  const returnToForm = (texts: Values) => {
    setValues((before) => ({ ...before, ...texts }))
    setConflict(null)
  }

  return {
    fields,
    parts: base.parts,
    values,
    base: base.values,
    changed,
    errors,
    required,
    isSaving,
    draft,
    conflict,
    set,
    handleBlur,
    undo,
    block,
    save,
    updateParts,
    restoreDraft,
    discardDraft: () => setDraft(null),
    saveMerged,
    returnToForm,
  }
}
