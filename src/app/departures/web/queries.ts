import { useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../contract/call.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import type { LeavingPerson } from '../../../platform/web/record-features.tsx'
import { cachePerson } from '../../../records/people/web/queries.ts'
import { createDeparture, readDeparture, deleteDeparture } from '../contract.ts'

/** What a departure would end; loaded each time its dialog opens. */
export const useDeparturePreview = (person: LeavingPerson) =>
  useQuery({ ...callQueryOptions(readDeparture, { params: { id: person._id } }), staleTime: 0, gcTime: 0 })

export const useCreateDeparture = ({ _id, version }: LeavingPerson, onDone: () => void) =>
  useMutation({
    mutationFn: (body: BodyOf<typeof createDeparture>) => withSignIn(() => send(createDeparture, { params: { id: _id }, body, version })),
    onSuccess: (answer) => {
      cachePerson(answer)
      onDone()
    },
  })

export const useDeleteDeparture = ({ _id, version }: LeavingPerson, onDone: () => void) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(deleteDeparture, { params: { id: _id }, version })),
    onSuccess: (answer) => {
      cachePerson(answer)
      onDone()
    },
  })
