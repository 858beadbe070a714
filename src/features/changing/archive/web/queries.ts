import { useMutation, useQueryClient } from '@tanstack/react-query'

import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { showSaved } from '../../../../platform/web/form/show-saved.ts'
import type { ArchivableRecord } from '../../../../platform/web/record-features.tsx'
import { archiveRecord, restoreRecord } from '../contract.ts'

/** Sends a change of a record that every list may show, and offers to undo it. */
const useChange = <Input>(
  { name }: ArchivableRecord,
  word: string,
  change: (input: Input, saves: string[]) => Promise<unknown>,
  onDone: () => void,
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => {
      const saves: string[] = []
      await withSignIn(() => change(input, saves))
      return saves
    },
    onSuccess: async (saves) => {
      await client.invalidateQueries()
      onDone()
      showSaved({ text: `${name} was ${word}.`, saves })
    },
  })
}

export const useArchive = (record: ArchivableRecord, onDone: () => void) => {
  const { kind, _id, version } = record
  return useChange(
    record,
    'archived',
    (reason: string, saves) => send(archiveRecord, { body: { kind, _id, reason }, version, saves }),
    onDone,
  )
}

export const useRestore = (record: ArchivableRecord) => {
  const { kind, _id } = record
  return useChange(
    record,
    'restored',
    (_: void, saves) => send(restoreRecord, { params: { kind, id: _id }, saves }),
    () => {},
  )
}
