import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { type FieldError, Problem } from '../../../../contract/problem.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { deleteDraft, readDraft, saveDraft } from '../../../../platform/web/form/drafts.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import type { SheetPreview, SheetProgress } from '../contract.ts'
import { readProgress, useSheetProgress, useSheetSave, useSheetStop } from './queries.ts'
import {
  buildChoices,
  type CellChoice,
  type Chosen,
  type IsHolding,
  type JudgeCell,
  NOTHING_CHOSEN,
  sortFindings,
  summarize,
} from './sheet-choices.ts'
import { useSheetFields } from './sheet-fields.ts'
import { goToCell } from './use-sheet-keys.ts'

const isEmpty = ({ cells, leftRows, used }: Chosen): boolean => Object.keys(cells).length + leftRows.length + used.length === 0

/** The choices in a preview, stored on this device until it is saved. */
const useChosen = ({ _id }: SheetPreview) => {
  const name = `sheet ${_id}`
  const [chosen, setChosen] = useState<Chosen>(() => ({
    ...NOTHING_CHOSEN,
    ...(readDraft(name)?.values['chosen'] as Partial<Chosen> | undefined),
  }))
  useEffect(() => {
    if (isEmpty(chosen)) deleteDraft(name)
    else saveDraft(name, { at: new Date().toISOString(), version: null, base: {}, values: { chosen: { ...chosen } } })
  }, [name, chosen])
  const choose = useCallback(
    (addresses: readonly string[], choice: CellChoice | undefined) =>
      setChosen((before) => {
        const cells: Record<string, CellChoice> = { ...before.cells }
        for (const address of addresses) {
          if (choice === undefined) delete cells[address]
          else cells[address] = choice
        }
        return { ...before, cells }
      }),
    [],
  )
  return useMemo(
    () => ({
      chosen,
      choose,
      leaveRow: (row: number, isLeft: boolean) =>
        setChosen((before) => ({ ...before, leftRows: [...before.leftRows.filter((one) => one !== row), ...(isLeft ? [row] : [])] })),
      acceptWarning: (nth: number, isUsed: boolean) =>
        setChosen((before) => ({ ...before, used: [...before.used.filter((one) => one !== nth), ...(isUsed ? [nth] : [])] })),
      clear: () => setChosen(NOTHING_CHOSEN),
    }),
    [chosen, choose],
  )
}

/** Why a sheet was not saved. */
interface Refusal {
  readonly text: string
  /** The errors of single cells. */
  readonly problems: readonly FieldError[]
  /** Whether the user stopped it here. */
  readonly isStop?: boolean
}

const SINCE =
  'Someone saved other values since this preview was made. Choose the file again to compare with them, or leave these cells out.'
const NOT_SAVED = 'The saving has ended. Nothing was saved.'
const NOTHING_SAVED = 'Nothing was saved, because not all of it can be.'

const toRefusal = (error: unknown, isStop: boolean): Refusal => {
  const problems = error instanceof Problem ? (error.errors ?? []) : []
  if (problems.length === 0)
    return { text: errorMessage(error), problems, isStop: isStop && error instanceof Problem && error.status === 409 }
  return { text: error instanceof Problem && error.status === 409 ? SINCE : NOTHING_SAVED, problems }
}

interface SavingOptions {
  /** The call that saves. */
  readonly apply?: Parameters<typeof useSheetSave>[1]
  readonly isHolding?: IsHolding
  /** Opens what was saved, instead of the page of its changes. */
  readonly onSaved?: () => Promise<unknown>
}

/** The choices of a preview, their summary, and saving them. */
export const useSaving = (preview: SheetPreview, { apply, isHolding, onSaved }: SavingOptions = {}) => {
  const navigate = useNavigate()
  const fields = useSheetFields()
  const choosing = useChosen(preview)
  const { chosen } = choosing
  const [notice, setNotice] = useState<Refusal>()
  const saving = useSheetSave(preview._id, apply)
  const stopping = useSheetStop(preview._id)
  const judge = useMemo((): JudgeCell => (cell, value) => fields.findError(cell.field, value), [fields])
  const findings = useMemo(() => sortFindings(preview, chosen.used), [preview, chosen.used])
  const summary = useMemo(() => summarize(findings, chosen, judge, isHolding), [findings, chosen, judge, isHolding])
  // Another window, or this page before it was reloaded, may be saving it.
  const [isWatching, setWatching] = useState(preview.progress.state === 'saving')
  const isSaving = saving.isPending || isWatching
  const { data: progress } = useSheetProgress(preview._id, isSaving)
  const [isStopRequested, setStopRequested] = useState(false)
  const stopRequested = useRef(false)
  const requestStop = (isRequested: boolean) => {
    stopRequested.current = isRequested
    setStopRequested(isRequested)
  }
  const { mutate: sendStop } = stopping
  // A stop request sent before the save has begun would be lost, so it is sent again until the save has ended.
  useEffect(() => {
    if (isStopRequested && progress?.state === 'saving') sendStop()
  }, [isStopRequested, progress, sendStop])
  const open = (changeset: string) => {
    const opened = onSaved
      ? onSaved()
      : navigate({ to: '/changes/$id', params: { id: changeset }, search: { sheet: preview._id }, replace: true })
    if (stopRequested.current) void opened.then(() => showSuccess({ text: 'This was saved before it could be stopped.' }))
  }
  const watched = isWatching && !saving.isPending && progress?.state !== 'saving' ? progress : undefined
  useEffect(() => {
    if (watched === undefined) return
    const end = ({ state, changeset }: SheetProgress) => {
      if (state === 'saving') return
      setWatching(false)
      if (changeset) open(changeset._id)
      else setNotice({ text: NOT_SAVED, problems: [], isStop: true })
    }
    if (watched.changeset) end(watched)
    // A response read while the save was ending may lack the result, so it is requested once more.
    else
      void readProgress(preview._id).then(end, () => {
        setWatching(false)
      })
    // oxlint-disable-next-line react/exhaustive-deps -- it ends once
  }, [watched])

  const save = (showAll: () => void) => {
    if (isSaving) return
    const [first] = summary.wrong.length > 0 ? summary.wrong : summary.total === 0 ? [...summary.errors, ...findings.conflicts] : []
    if (first) {
      showAll()
      return void requestAnimationFrame(() => goToCell(first.cell))
    }
    if (summary.total === 0) return setNotice({ text: 'Nothing is chosen. Tick what should be saved.', problems: [] })
    setNotice(undefined)
    requestStop(false)
    saving.mutate(buildChoices(preview, chosen, judge, isHolding), {
      onSuccess: ({ changeset }) => {
        choosing.clear()
        if (changeset) open(changeset._id)
        else setNotice({ text: 'Nothing had to be saved.', problems: [] })
      },
      onError: (error) => {
        setNotice(toRefusal(error, stopRequested.current))
        window.scrollTo({ top: 0 })
      },
    })
  }
  return {
    choosing,
    findings,
    summary,
    judge,
    notice,
    progress,
    isSaving,
    count: saving.isPending ? summary.total : undefined,
    isStopping: isStopRequested,
    hasChosen: chosen !== NOTHING_CHOSEN && Object.keys(chosen.cells).length + chosen.leftRows.length + chosen.used.length > 0,
    save,
    stop: () => {
      requestStop(true)
      sendStop()
    },
    leaveProblems: () => {
      const wrong = new Set(notice?.problems.map(({ path }) => path))
      const cells = preview.cells.filter(({ cell }) => wrong.has(cell))
      choosing.choose(
        cells.flatMap(({ cell, state }) => (state === 'conflict' ? [] : [cell])),
        'leave',
      )
      choosing.choose(
        cells.flatMap(({ cell, state }) => (state === 'conflict' ? [cell] : [])),
        undefined,
      )
      for (const { row, record } of cells) if (record === null) choosing.leaveRow(row, true)
      setNotice(undefined)
    },
  }
}
export type Saving = ReturnType<typeof useSaving>
