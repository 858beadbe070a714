import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'

import { Problem } from '../../../contract/problem.ts'
import { clearError, showError } from '../error-banner.ts'
import { isSignedOut, errorMessage } from '../failures.ts'
import { clearSuccess } from '../success-notice.ts'
import { deleteDraft, getUnsavedDraft, saveDraft, readDraft } from './drafts.ts'
import type { Draft } from './drafts.ts'
import {
  groupErrorsByField,
  validateValues,
  findRequiredFields,
  type FieldsByPath,
  type CrossFieldRules,
  type FormField,
} from './fields.ts'
import { runAfterPress, focusField } from './focus-field.ts'
import { mergeEdits } from './merge.ts'
import type { Conflict } from './merge.ts'
import { registerOpenForm, registerUnsaved, withSignIn } from './open-forms.ts'
import { isInPart, NO_PARTS, limitToPart, replaceParts, StalePartError, rebaseParts } from './record-parts.ts'
import type { PartVersions, RecordSnapshot } from './record-parts.ts'
import { useEditMode } from './use-edit-mode.ts'
import { type SavedElsewhereState, useSavedElsewhere } from './use-saved-elsewhere.ts'
import { toBody, changedPaths, isSameValue, pick } from './values.ts'
import type { FieldValue, Values } from './values.ts'

/** What is sent: the changed fields of a record, or all fields of a new one, which has no version. */
export interface FormEdit {
  readonly body: Record<string, unknown>
  readonly version?: number
  /** The versions of separately stored parts that this is based on. */
  readonly parts?: PartVersions
  /** Whether all of the form was seen, as it is saved. */
  readonly isSeen: boolean
  /** Collects the requests that saved something. */
  readonly saves: string[]
}

/** The fields of a form: fixed, or depending on the parts that the record has. */
export type FormFields = FieldsByPath | ((base: Values) => FieldsByPath)

/** `Saved` is the answer to a save. */
export interface FormOptions<Saved> {
  /** The storage key of its unsaved changes. */
  readonly name: string
  readonly fields: FormFields
  readonly schema: z.ZodType
  readonly crossFieldRules?: CrossFieldRules | undefined
  readonly record: RecordSnapshot
  /** Initial values on top of the record: those of a suggestion that is being changed. */
  readonly startValues?: Values | undefined
  /** The message if nothing is changed; without it, the form is sent anyway. */
  readonly emptyMessage?: string | undefined
  /** Values derived from a field: the state of a selected region. */
  readonly derivedValues?: ((path: string, value: FieldValue, before: Values) => Values) | undefined
  /** Asks about valid values before they are sent; false returns to the form. */
  readonly confirm?: ((values: Values) => Promise<boolean>) | undefined
  /**
   * Saves the changes on top of the version they are based on. A form of several records does so call by call, signs in again if a call needs it
   * (`withSignIn`), and reports each saved part: if a later call fails, the saved parts are neither sent again nor considered unsaved.
   */
  readonly send: (edit: FormEdit, isSaved: MarkSaved) => Promise<Saved>
  /** The present state of the record; required if it has a version. `part` is the part that someone else has saved, if known. */
  readonly reload?: ((base: Values, part: string | null) => Promise<RecordSnapshot>) | undefined
  /** Whether every field was on the screen. */
  readonly isSeen?: (() => boolean) | undefined
  /**
   * `mergedWith` is the record that someone else saved in the meantime, if it was merged with these changes. `saves` are the requests that saved
   * something, none if nothing was changed.
   */
  readonly onSaved: (saved: Saved, mergedWith: RecordSnapshot | null, saves: readonly string[]) => void
  /** For a form of several records: called when a part is saved separately; `isLast` if nothing else is unsaved. */
  readonly onPartSaved?: ((part: string, isLast: boolean, mergedWith: RecordSnapshot | null, saves: readonly string[]) => void) | undefined
}

/** Reports that parts of a form are saved, by path prefix, with the present state of the whole record. */
export type MarkSaved = (now: RecordSnapshot, parts: readonly string[]) => void

export interface FormState extends SavedElsewhereState {
  readonly fields: FieldsByPath
  /** The versions of the present parts. */
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
  /** Validates a field on blur. */
  readonly handleBlur: (path: string) => void
  readonly undo: (path: string) => void
  readonly blockSaving: (path: string, reason: string | null) => void
  /** Saves the changes; with `part`, a path prefix, only those of the part. */
  readonly save: (part?: string) => Promise<void>
  /** Updates parts that were saved, added or removed outside the form. */
  readonly updateParts: MarkSaved
  /** Puts the offered draft into the form; if the record has changed since, both are shown. */
  readonly restoreDraft: () => void
  readonly discardDraft: () => void
  /** Saves both edits merged, with the chosen values for conflicts. */
  readonly saveMerged: (chosen: Values) => Promise<void>
  /** Returns with the texts combined in the meantime: they count as typed. */
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
/** Maximum number of merges and retries if someone else saves before each retry; then the user gets a message. */
const MAX_MERGES = 5

/** Formats a text by the rule of its field; unchanged fields stay as stored. */
const formatLine = (field: FormField | undefined, value: FieldValue, before: FieldValue | undefined): FieldValue =>
  field?.kind === 'line' && field.format && typeof value === 'string' && !isSameValue(value, before) ? field.format(value) : value

/** State of a form on a record: values, errors, changes, saving, and drafts so that nothing is lost. */
export const useEditForm = <Saved>(options: FormOptions<Saved>): FormState => {
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
        // The offered draft may be older than the loaded record: a later save then merges from the draft's version.
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

  /** The errors of the values that would be sent; disabled fields are not checked. */
  const validate = useCallback((now: Values, from: Values): Readonly<Record<string, string>> => {
    const { fields } = latest.current
    const { schema, crossFieldRules } = latest.current.options
    const all = Object.keys(fields)
    const sent = latest.current.options.record.version === null ? all : changedPaths(from, now)
    const validatedPaths = all.filter((path) => !fields[path]?.isDisabled?.(now))
    return { ...validateValues(schema, pick(now, sent), validatedPaths, crossFieldRules?.(now, sent) ?? []), ...blocks.current }
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
      const formatted = formatLine(field, typed ?? null, before)
      const now = { ...latest.current.values, [path]: formatted }
      if (formatted !== typed) setValues((others) => ({ ...others, [path]: formatted }))
      const { [path]: error } = validate(now, latest.current.base.values)
      // A required field that was only tabbed through is not reported before saving.
      const passedThrough = formatted === '' && before === ''
      if (error !== undefined && !passedThrough) runAfterPress(() => setErrors((before) => ({ ...before, [path]: error })))
    },
    [validate],
  )
  const undo = useCallback(
    (path: string) => {
      set(path, latest.current.base.values[path] ?? null)
      // The pressed button disappears with the marker.
      focusField(path)
    },
    [set],
  )

  const blockSaving = useCallback((path: string, reason: string | null) => {
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

  /** Saves; merges and retries if someone else has saved. False if the user has to resolve a conflict first. */
  const attempt = async (given: Attempt, merges = 0): Promise<boolean> => {
    const { send, reload, onSaved, onPartSaved, isSeen } = latest.current.options
    const { part, mergedWith } = given
    let seen = { values: given.base, version: given.version, parts: given.parts }
    let mine = given.values
    const isSaved: MarkSaved = (now, saved) => {
      seen = rebaseParts(seen, now, saved)
      mine = replaceParts(mine, now.values, saved)
      updateParts(now, saved)
    }
    const sent = seen.version === null ? mine : pick(mine, changedPaths(seen.values, mine))
    const saves: string[] = []
    const edit = {
      body: toBody(sent),
      ...(seen.version === null ? {} : { version: seen.version }),
      parts: seen.parts,
      // What someone else has saved in the meantime was not seen.
      isSeen: mergedWith === null && (isSeen?.() ?? false),
      saves,
    }
    const hasChanges = Object.keys(sent).length > 0
    try {
      const saved = await (onPartSaved ? send(edit, isSaved) : withSignIn(() => send(edit, isSaved)))
      if (part !== null && onPartSaved) {
        const isLast = changedPaths(seen.values, latest.current.values).every((path) => isInPart(part, path))
        onPartSaved(part, isLast, mergedWith, saves)
        return true
      }
      isDone.current = true
      deleteDraft(name)
      onSaved(saved, mergedWith, hasChanges ? saves : [])
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
      return attempt(continueFrom(theirs, merge.values, part), merges + 1)
    }
  }
  /** Continues from what someone else has saved, with the unsaved changes on top. */
  const continueFrom = (theirs: RecordSnapshot, together: Values, part: string | null): Attempt => {
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
    clearSuccess()
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

  const { reload } = options
  const takeOver = (now: Values, theirs: RecordSnapshot): void => void continueFrom(theirs, now, null)
  const elsewhere = useSavedElsewhere({ base: base.values, values, isSaving, reload: isNew ? undefined : reload, takeOver, setConflict })

  const save = async (part?: string): Promise<void> => {
    if (isBusy.current) return
    // The focused field is formatted as on blur.
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
    const found = validate(now, base.values)
    if (Object.keys(found).length > 0) return showErrors(found)
    setErrors((before) => (part === undefined ? {} : replaceParts(before, {}, [part])))
    if (options.confirm && !(await options.confirm(now))) return
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
    // The draft is older than the record: the form continues from the draft's base, so that saving compares the two as well.
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
    await run(continueFrom(theirs, { ...merge.values, ...chosen }, part))
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
    ...elsewhere,
    set,
    handleBlur,
    undo,
    blockSaving,
    save,
    updateParts,
    restoreDraft,
    discardDraft: () => setDraft(null),
    saveMerged,
    returnToForm,
  }
}
