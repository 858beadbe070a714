import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'

import { Problem } from '../../contract/problem.ts'
import { clearError, showError } from '../banner.ts'
import { isSignedOut, sayFailure } from '../failures.ts'
import { dropDraft, keepDraft, readDraft } from './drafts.ts'
import type { Draft } from './drafts.ts'
import { byField, errorsOf, requiredOf } from './fields.ts'
import type { Across, FormField } from './fields.ts'
import { afterPress, goToField } from './going.ts'
import { mergeEdits } from './merge.ts'
import type { Merge } from './merge.ts'
import { formOpens, tellUnsaved, withSignIn } from './open-forms.ts'
import { isOf, NO_PARTS, only, replaced, StalePart, taken } from './parts.ts'
import type { Parts } from './parts.ts'
import { useEditMode } from './useEditMode.ts'
import { bodyOf, changedPaths, isSameValue, pick } from './values.ts'
import type { FieldValue, Values } from './values.ts'

/** A record as a form takes it up. */
export interface Snapshot {
  readonly values: Values
  /** Null for something new. */
  readonly version: number | null
  /** The versions of those of its parts that are records of their own. */
  readonly parts?: Parts
  readonly updatedBy: string | null
  readonly updatedAt: string
}

/** What travels: the changed fields of a record, or all of a new one, which has no version. */
export interface Edit {
  readonly body: Record<string, unknown>
  readonly version?: number
  /** Of parts that are records of their own: the versions this is based on. */
  readonly parts?: Parts
}

/** The fields of a form: fixed, or those of the parts that the record has. */
export type FormFields = Readonly<Record<string, FormField>> | ((base: Values) => Readonly<Record<string, FormField>>)

/** Something new, as its form begins. */
export const newRecord = (values: Values): Snapshot => ({ values, version: null, updatedBy: null, updatedAt: '' })

/** Two edits of one record, of which some fields clash (D6). */
export interface Clash {
  readonly merge: Merge
  readonly before: Values
  readonly mine: Values
  readonly theirs: Snapshot
  /** The one part that was being saved; null for all. */
  readonly part: string | null
}

export interface FormOptions {
  /** What its unsaved typing is kept under. */
  readonly name: string
  readonly fields: FormFields
  readonly schema: z.ZodType
  readonly across?: Across | undefined
  readonly record: Snapshot
  /** What else is set along with a field: the state of a chosen region (D50). */
  readonly along?: ((path: string, value: FieldValue, before: Values) => Values) | undefined
  /**
   * Saves what was changed, on top of the version it was based on. A form of several records does so call by call, signs in again where one of
   * them needs it (`withSignIn`), and tells after each what is saved: where a later one fails, that is neither sent again nor taken for unsaved.
   */
  readonly send: (edit: Edit, isSaved: IsSaved) => Promise<unknown>
  /** The record as it is now; needed where it has a version. `part` is the one that somebody else has saved, where it is known. */
  readonly reread?: ((base: Values, part: string | null) => Promise<Snapshot>) | undefined
  /** `mergedWith` is who saved it meanwhile, where their fields and these were put together. */
  readonly onSaved: (answer: unknown, mergedWith: Snapshot | null) => void
  /** A form of several records: what follows where a part is saved alone; `isLast` where nothing else is unsaved. */
  readonly onPartSaved?: ((part: string, isLast: boolean, mergedWith: Snapshot | null) => void) | undefined
}

/** Tells that parts of a form are saved, by what their paths begin with, and how all of it is now. */
export type IsSaved = (now: Snapshot, parts: readonly string[]) => void

export interface EditForm {
  readonly fields: Readonly<Record<string, FormField>>
  /** The versions of the parts that are there. */
  readonly parts: Parts
  readonly values: Values
  readonly base: Values
  readonly changed: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  readonly required: ReadonlySet<string>
  readonly isSaving: boolean
  readonly offered: Draft | null
  readonly clash: Clash | null
  readonly set: (path: string, value: FieldValue) => void
  /** The reader left a field: it is judged. */
  readonly leave: (path: string) => void
  readonly undo: (path: string) => void
  readonly block: (path: string, reason: string | null) => void
  /** Saves what was changed; of a part, by what its paths begin with, just that. */
  readonly save: (part?: string) => Promise<void>
  /** Takes parts up as they are now: saved, added or gone by another way than the form's. */
  readonly adopt: IsSaved
  /** Puts the offered draft into the form; where the record has changed since, both are shown. */
  readonly restore: () => void
  readonly discard: () => void
  /** Saves both edits together, with what was chosen where they clash. */
  readonly saveTogether: (chosen: Values) => Promise<void>
  /** With the texts that were put together meanwhile: they are typing too. */
  readonly backToForm: (texts: Values) => void
}

interface Attempt {
  readonly base: Values
  readonly values: Values
  readonly version: number | null
  readonly parts: Parts
  readonly mergedWith: Snapshot | null
  readonly part: string | null
}

const isStale = (error: unknown): boolean => error instanceof Problem && error.status === 412
/** Somebody who saves again each time one's own save comes along: then the reader is told. */
const MOST_MERGES = 5

/** A line as its field writes it; one that nobody touched stays as it is stored (D33). */
const formatted = (field: FormField | undefined, value: FieldValue, before: FieldValue | undefined): FieldValue =>
  field?.kind === 'line' && field.format && typeof value === 'string' && !isSameValue(value, before) ? field.format(value) : value

/** What of a draft is not stored meanwhile; null where all of it is. */
const unsavedOf = (draft: Draft | null, { values }: Snapshot): Draft | null =>
  draft && Object.entries(draft.values).some(([path, value]) => !(path in values) || !isSameValue(value, values[path])) ? draft : null

/** A form on a record: what is typed, what is wrong, what was changed, saving it, and losing nothing on the way. */
export const useEditForm = (options: FormOptions): EditForm => {
  const { name, schema, record } = options
  const isNew = record.version === null
  const [base, setBase] = useState({ values: record.values, version: record.version, parts: record.parts ?? NO_PARTS })
  const { fields: known } = options
  const fields = useMemo(() => (typeof known === 'function' ? known(base.values) : known), [known, base.values])
  const [values, setValues] = useState(record.values)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const [offered, setOffered] = useState(() => unsavedOf(readDraft(name), record))
  const [clash, setClash] = useState<Clash | null>(null)
  const isDone = useRef(false)
  const isBusy = useRef(false)
  const blocks = useRef<Readonly<Record<string, string>>>({})

  const paths = useMemo(() => Object.keys(fields), [fields])
  const required = useMemo(() => requiredOf(schema, paths), [paths, schema])
  const changed = useMemo(() => changedPaths(base.values, values), [base, values])

  const latest = useRef({ values, base, fields, options })
  useEffect(() => {
    latest.current = { values, base, fields, options }
  })
  useEffect(formOpens, [])
  useEffect(() => tellUnsaved(name, changed.length > 0), [name, changed])
  useEffect(() => {
    if (isDone.current) return
    if (changed.length > 0) {
      const before = offered ?? { base: {}, values: {} }
      keepDraft(name, {
        at: new Date().toISOString(),
        // What was offered may be older than what is on the screen: a later save then merges from there.
        version: offered ? offered.version : base.version,
        parts: {
          ...Object.fromEntries(Object.entries(base.parts).filter(([part]) => changed.some((path) => isOf(part, path)))),
          ...offered?.parts,
        },
        base: { ...before.base, ...pick(base.values, changed) },
        values: { ...before.values, ...pick(values, changed) },
      })
    } else if (offered) keepDraft(name, offered)
    else dropDraft(name)
  }, [name, base, values, changed, offered])

  /** What is wrong with what would be sent; fields that cannot be filled in now are not judged. */
  const judge = useCallback((now: Values, from: Values): Readonly<Record<string, string>> => {
    const { fields } = latest.current
    const { schema, across } = latest.current.options
    const all = Object.keys(fields)
    const sent = latest.current.options.record.version === null ? all : changedPaths(from, now)
    const judged = all.filter((path) => !fields[path]?.isDisabled?.(now))
    return { ...errorsOf(schema, pick(now, sent), judged, across?.(now, sent) ?? []), ...blocks.current }
  }, [])

  const set = useCallback((path: string, value: FieldValue) => {
    setValues((before) => ({ ...before, ...latest.current.options.along?.(path, value, before), [path]: value }))
    setErrors(({ [path]: gone, ...others }) => (gone === undefined ? { ...others } : others))
  }, [])
  const leave = useCallback(
    (path: string) => {
      const field = latest.current.fields[path]
      const typed = latest.current.values[path]
      const before = latest.current.base.values[path]
      const kept = formatted(field, typed ?? null, before)
      const now = { ...latest.current.values, [path]: kept }
      if (kept !== typed) setValues((others) => ({ ...others, [path]: kept }))
      const { [path]: wrong } = judge(now, latest.current.base.values)
      // A required field that was only passed through is not complained about before saving.
      const passedThrough = kept === '' && before === ''
      if (wrong !== undefined && !passedThrough) afterPress(() => setErrors((before) => ({ ...before, [path]: wrong })))
    },
    [judge],
  )
  const undo = useCallback(
    (path: string) => {
      set(path, latest.current.base.values[path] ?? null)
      // The button that was pressed goes with the mark.
      goToField(path)
    },
    [set],
  )

  const block = useCallback((path: string, reason: string | null) => {
    const { [path]: before, ...others } = blocks.current
    blocks.current = reason === null ? others : { ...others, [path]: reason }
    if (reason === null && before !== undefined)
      setErrors(({ [path]: said, ...rest }) => (said === undefined || said === before ? rest : { ...rest, [path]: said }))
  }, [])

  const showErrors = (found: Readonly<Record<string, string>>): void => {
    setErrors(found)
    const first = Object.keys(latest.current.fields).find((path) => path in found)
    if (first !== undefined) goToField(first)
  }

  const adopt: IsSaved = (now, parts) => {
    const all = [...parts, ...Object.keys(now.parts ?? NO_PARTS).filter((one) => !(one in latest.current.base.parts))]
    setBase((before) => taken(before, now, all))
    setValues((before) => replaced(before, now.values, all))
    setErrors((before) => replaced(before, {}, all))
  }

  /** One save, with whatever has to be done for it to get through; false where the reader has to do something first. */
  const attempt = async (given: Attempt, merges = 0): Promise<boolean> => {
    const { send, reread, onSaved, onPartSaved } = latest.current.options
    const { part, mergedWith } = given
    let seen = { values: given.base, version: given.version, parts: given.parts }
    let mine = given.values
    const isSaved: IsSaved = (now, saved) => {
      seen = taken(seen, now, saved)
      mine = replaced(mine, now.values, saved)
      adopt(now, saved)
    }
    const sent = seen.version === null ? mine : pick(mine, changedPaths(seen.values, mine))
    const edit = { body: bodyOf(sent), ...(seen.version === null ? {} : { version: seen.version }), parts: seen.parts }
    try {
      const answer = await (onPartSaved ? send(edit, isSaved) : withSignIn(() => send(edit, isSaved)))
      if (part !== null && onPartSaved) {
        const isLast = changedPaths(seen.values, latest.current.values).every((path) => isOf(part, path))
        onPartSaved(part, isLast, mergedWith)
        return true
      }
      isDone.current = true
      dropDraft(name)
      onSaved(answer, mergedWith)
      return true
    } catch (error) {
      if (!isStale(error) || !reread || merges >= MOST_MERGES) throw error
      const now = await withSignIn(() => reread(seen.values, error instanceof StalePart ? error.part : null))
      const theirs = part === null ? now : only(part, now, seen)
      const merge = mergeEdits(seen.values, mine, theirs.values)
      if (merge.clashes.length > 0) {
        setClash({ merge, before: seen.values, mine, theirs, part })
        return false
      }
      return attempt(goOn(theirs, merge.values, part), merges + 1)
    }
  }
  /** Takes up what somebody else has saved, with what is to be saved on top of it. */
  const goOn = (theirs: Snapshot, together: Values, part: string | null): Attempt => {
    const parts = theirs.parts ?? NO_PARTS
    setBase({ values: theirs.values, version: theirs.version, parts })
    setValues((before) => (part === null ? together : replaced(before, together, [part])))
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
      // Whoever would not sign in again has left.
      if (isSignedOut(error)) return
      const said = error instanceof Problem ? byField(error.errors ?? [], paths) : {}
      if (Object.keys(said).length > 0) showErrors(said)
      else showError(sayFailure(error))
    } finally {
      isBusy.current = false
      setSaving(false)
      // The form was inert meanwhile.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && focused instanceof HTMLElement && focused.isConnected) focused.focus()
      })
    }
  }

  const save = async (part?: string): Promise<void> => {
    if (isBusy.current) return
    // The field one is still in is formatted as if it had been left.
    const all = Object.fromEntries(Object.entries(values).map(([path, value]) => [path, formatted(fields[path], value, base.values[path])]))
    setValues(all)
    const now = part === undefined ? all : replaced(base.values, all, [part])
    const found = judge(now, base.values)
    if (Object.keys(found).length > 0) return showErrors(found)
    setErrors((before) => (part === undefined ? {} : replaced(before, {}, [part])))
    await run({ base: base.values, values: now, version: base.version, parts: base.parts, mergedWith: null, part: part ?? null })
  }

  const restore = () => {
    if (!offered) return
    const from = { ...base.values, ...offered.base }
    const typed = { ...values, ...offered.values, ...pick(values, changed) }
    const merge = mergeEdits(from, typed, base.values)
    const hasGoneRow = Object.keys(offered.values).some((path) => !(path in base.values))
    setOffered(null)
    if (isNew || (merge.clashes.length === 0 && !hasGoneRow)) return setValues(isNew ? typed : merge.values)
    // The draft is older than the record: the form goes on from what the draft was based on, so that saving compares the two as well.
    const parts = Object.fromEntries(Object.entries(base.parts).map(([part, version]) => [part, offered.parts?.[part] ?? version]))
    setBase({ values: from, version: offered.version, parts })
    setValues(typed)
    if (merge.clashes.length > 0) setClash({ merge, before: from, mine: typed, theirs: { ...record, ...base }, part: null })
  }
  const { isResuming } = useEditMode()
  const mayResume = useRef(isResuming)
  useEffect(() => {
    if (mayResume.current) restore()
    mayResume.current = false
  })

  const saveTogether = async (chosen: Values): Promise<void> => {
    if (!clash) return
    const { merge, theirs, part } = clash
    setClash(null)
    await run(goOn(theirs, { ...merge.values, ...chosen }, part))
  }
  const backToForm = (texts: Values) => {
    setValues((before) => ({ ...before, ...texts }))
    setClash(null)
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
    offered,
    clash,
    set,
    leave,
    undo,
    block,
    save,
    adopt,
    restore,
    discard: () => setOffered(null),
    saveTogether,
    backToForm,
  }
}
