import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { BodyOf } from '../../../../contract/call.ts'
import type { ImportKind } from '../../../../contract/imports.ts'
import { Problem } from '../../../../contract/problem.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { createImport, type ImportPreview, type ImportState, listImports, mapImport, readImport } from '../imports/contract.ts'
import type { Files } from './FileButton.tsx'

const stateOptions = (id: string) => callQueryOptions(readImport, { params: { id }, query: { cells: 'false' } })

/** What the columns and words of an import become. */
export const useImportState = (id: string) => useQuery(stateOptions(id))
/** What an import would change. It is compared again each time, because the records may have changed. */
export const useImportPreview = (id: string) =>
  useQuery({
    ...callQueryOptions(readImport, { params: { id }, query: { cells: 'true' } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

const setState = (state: ImportState): void => {
  queryClient.setQueryData(stateOptions(state._id).queryKey, (before: ImportPreview | undefined) => before && { ...before, ...state })
}

/** Changes what a file has, and what its columns and words become. */
export const useMapping = (id: string) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof mapImport>) => withSignIn(() => send(mapImport, { params: { id }, body })),
    onSuccess: (state) => {
      setState(state)
      void queryClient.invalidateQueries({ queryKey: getQueryKey(listImports) })
    },
    onError: (error) => {
      showError(errorMessage(error))
      void queryClient.invalidateQueries({ queryKey: getQueryKey(readImport) })
    },
  })

const { maxBytes, tooLarge } = createImport.upload

/** The caller's own files of the last day. */
export const useImportFiles = () => useQuery(callQueryOptions(listImports))

/** A file that cannot be used, and why. */
interface Refusal {
  readonly name: string
  readonly message: string
}

const uploadFile = async (kind: ImportKind | 'any', file: File): Promise<ImportState | Refusal> => {
  if (file.size > maxBytes) return { name: file.name, message: tooLarge }
  try {
    return await withSignIn(() => send(createImport, { params: { kind }, file }))
  } catch (error) {
    return { name: file.name, message: (error instanceof Problem ? error.errors?.[0]?.message : undefined) ?? errorMessage(error) }
  }
}

/** Uploads files one after another. The import of a single file is opened. */
export const useImportUpload = () => {
  const navigate = useNavigate()
  const [reading, setReading] = useState<string>()
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const read = async (kind: ImportKind | 'any', files: Files): Promise<void> => {
    setRefused([])
    for (const file of files) {
      setReading(file.name)
      const result = await uploadFile(kind, file)
      if ('message' in result) setRefused((before) => [...before, result])
      else if (files.length === 1) await navigate({ to: '/import/$id', params: { id: result._id } })
      await queryClient.invalidateQueries({ queryKey: getQueryKey(listImports) })
    }
    setReading(undefined)
  }
  return { read, reading, refused }
}
