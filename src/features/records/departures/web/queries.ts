import { useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../../platform/contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { reading } from '../../../../platform/web/queries.ts'
import type { PersonWithSites } from '../../people/contract.ts'
import { putPerson } from '../../people/web/queries.ts'
import { markLeft, readLeaving, undoLeaving } from '../contract.ts'

/** What somebody's leaving ends; read anew each time a window about it opens. */
export const useLeaving = (person: PersonWithSites) =>
  useQuery({ ...reading(readLeaving, { params: { id: person._id } }), staleTime: 0, gcTime: 0 })

type HandOver = NonNullable<BodyOf<typeof markLeft>['handOver']>

export const useMarkLeft = ({ _id, version }: PersonWithSites, onDone: () => void) =>
  useMutation({
    mutationFn: (handOver: HandOver) => withSignIn(() => send(markLeft, { params: { id: _id }, body: { handOver }, version })),
    onSuccess: (answer) => {
      putPerson(answer)
      onDone()
    },
  })

export const useUndoLeaving = ({ _id, version }: PersonWithSites, onDone: () => void) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(undoLeaving, { params: { id: _id }, version })),
    onSuccess: (answer) => {
      putPerson(answer)
      onDone()
    },
  })
