import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { ImportKind } from '../../../../contract/imports.ts'
import { Problem } from '../../../../contract/problem.ts'
import { send } from '../../../../platform/web/client.ts'
import { showError } from '../../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { createImport, type GivenMapping, type ImportPreview, type ImportState, mapImport, readImport } from '../imports/contract.ts'

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

/** Changes what columns and words become. */
export const useMapping = (id: string) =>
  useMutation({
    mutationFn: (mapping: GivenMapping) => withSignIn(() => send(mapImport, { params: { id }, body: { mapping } })),
    onSuccess: setState,
    onError: (error) => {
      showError(errorMessage(error))
      void queryClient.invalidateQueries({ queryKey: getQueryKey(readImport) })
    },
  })

const { maxBytes, tooLarge } = createImport.upload

/** Uploads a file and opens its import; `refused` says why a file cannot be used. */
export const useImportUpload = () => {
  const navigate = useNavigate()
  const [reading, setReading] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const read = async (kind: ImportKind, file: File): Promise<void> => {
    setRefused(undefined)
    if (file.size > maxBytes) return setRefused(tooLarge)
    setReading(file.name)
    try {
      const { _id } = await withSignIn(() => send(createImport, { params: { kind }, file }))
      await navigate({ to: '/import/$id', params: { id: _id } })
    } catch (error) {
      setRefused((error instanceof Problem ? error.errors?.[0]?.message : undefined) ?? errorMessage(error))
    } finally {
      setReading(undefined)
    }
  }
  return { read, reading, refused }
}
