import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { QueryOf } from '../../../../contract/call.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { SheetKind } from '../../../../contract/sheets.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { downloadFile } from '../../../../platform/web/files.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import {
  applySheet,
  downloadSheet,
  downloadSheetOfRecords,
  downloadSheetPreview,
  previewSheet,
  readSheetPreview,
  readSheetProgress,
  type SheetChoices,
  type SheetPreview,
  stopSheet,
} from '../contract.ts'
import type { applyImport } from '../imports/contract.ts'
import { parseOtherList, PASTED_CELLS } from '../rules.ts'

/** The findings of a preview do not change; the progress of its save is a separate query. */
export const useSheetPreview = (id: string, isNeeded = true) =>
  useQuery({ ...callQueryOptions(readSheetPreview, { params: { id } }), enabled: isNeeded })

const POLL_MS = 500

/** The progress of the save while it is running. */
export const useSheetProgress = (id: string, isSaving: boolean) =>
  useQuery({
    ...callQueryOptions(readSheetProgress, { params: { id } }),
    enabled: isSaving,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: isSaving ? POLL_MS : false,
  })

/** The current progress of the save. */
export const readProgress = (id: string) => send(readSheetProgress, { params: { id } })

export const useSheetSave = (id: string, apply: typeof applySheet | typeof applyImport = applySheet) =>
  useMutation({
    mutationFn: (body: SheetChoices) => withSignIn(() => send(apply as typeof applySheet, { params: { id }, body })),
    onSuccess: () => void queryClient.invalidateQueries(),
    onError: () => void queryClient.invalidateQueries({ queryKey: getQueryKey(readSheetProgress) }),
  })

export const useSheetStop = (id: string) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(stopSheet, { params: { id } })),
    // A 409 means that the sheet is already saved, which the save itself reports.
    onError: (error) => (error instanceof Problem && error.status === 409 ? undefined : showError(errorMessage(error))),
  })

const SHEET = 'The sheet'

/** Downloads a sheet to edit: of the given records, or of all. */
export const downloadSheetFile = (kind: SheetKind, query: QueryOf<typeof downloadSheet> = {}): Promise<void> =>
  downloadFile(downloadSheet, SHEET, { params: { kind }, query })

interface TickedRecords {
  readonly ids: readonly string[]
  readonly columns?: readonly string[] | undefined
}
/** Downloads a sheet to edit of any number of selected records. */
export const saveSheetOfRecords = (kind: SheetKind, { ids, columns }: TickedRecords): Promise<void> =>
  downloadFile(downloadSheetOfRecords, SHEET, { params: { kind }, body: { ids: [...ids], columns: columns?.join(',') } })

/** Downloads an uploaded sheet again, with its errors as comments; or only the rows with cells that were left out. */
export const saveMarkedSheet = (id: string, rows: 'all' | 'left'): Promise<void> =>
  downloadFile(downloadSheetPreview, SHEET, { params: { id }, query: { rows } })

/** A file that could not be compared, and why. */
export interface RefusedFile {
  readonly kind: SheetKind
  readonly name: string
  readonly message: string
}

const { maxBytes, tooLarge } = previewSheet.upload

const upload = async (kind: SheetKind, file: File, kinds: readonly SheetKind[]) => {
  const sendAs = (one: SheetKind) => withSignIn(() => send(previewSheet, { params: { kind: one }, file }))
  try {
    return await sendAs(kind)
  } catch (error) {
    // The file itself contains which list it belongs to.
    const other = error instanceof Problem ? error.errors?.map(({ message }) => parseOtherList(message)).find(Boolean) : undefined
    if (other === undefined || other === kind || !kinds.includes(other)) throw error
    return sendAs(other)
  }
}

const describeRefusal = (error: unknown): string =>
  (error instanceof Problem ? error.errors?.[0]?.message : undefined) ?? errorMessage(error)

const useOpenPreview = () => {
  const navigate = useNavigate()
  return (preview: SheetPreview) => {
    queryClient.setQueryData(callQueryOptions(readSheetPreview, { params: { id: preview._id } }).queryKey, preview)
    return navigate({ to: '/sheets/$id', params: { id: preview._id } })
  }
}

const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')

/** Opens the preview of pasted cells: below the paths of their fields, rows that begin with the `_id` and version of a record. */
export const usePastedCells = () => {
  const open = useOpenPreview()
  return async (kind: SheetKind, rows: readonly (readonly string[])[]): Promise<void> => {
    const file = new File([toCsv(rows)], PASTED_CELLS, { type: 'text/csv' })
    try {
      await open(await withSignIn(() => send(previewSheet, { params: { kind }, query: { pasted: 'true' }, file })))
    } catch (error) {
      showError(describeRefusal(error))
    }
  }
}

/** Uploads a sheet and opens its preview. `kinds` are the sheets that the file may belong to. */
export const useSheetUpload = (kinds: readonly SheetKind[]) => {
  const open = useOpenPreview()
  const [reading, setReading] = useState<string>()
  const [refused, setRefused] = useState<RefusedFile>()
  const read = async (kind: SheetKind, file: File) => {
    if (file.size > maxBytes) return setRefused({ kind, name: file.name, message: tooLarge })
    setReading(file.name)
    try {
      await open(await upload(kind, file, kinds))
    } catch (error) {
      setRefused({ kind, name: file.name, message: describeRefusal(error) })
    } finally {
      setReading(undefined)
    }
  }
  return { read, reading, refused, forget: () => setRefused(undefined) }
}
export type SheetUpload = ReturnType<typeof useSheetUpload>
