import { useMutation, useQuery } from '@tanstack/react-query'

import type { BodyOf } from '../../../contract/call.ts'
import { Problem } from '../../../contract/problem.ts'
import { addDays } from '../../../features/deadlines/deadlines/rules.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import type { FormPlan } from '../../../platform/web/form/plan.ts'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import type { LeavingPerson } from '../../../platform/web/record-features.tsx'
import { cachePerson } from '../../../records/people/web/queries.ts'
import { createDeparture, readDeparture, deleteDeparture } from '../contract.ts'
import { LEAVING } from '../rules.ts'

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

interface PlannedDeparture {
  readonly lastDay: string
  /** The next person of each position, by its key. */
  readonly handOver: Readonly<Record<string, string>>
  readonly deadlinesTo: string | undefined
}

/** The reasons instead of the number of fields, because the dialog has no field to show them at. */
const throwReasons = (error: unknown): never => {
  if (!(error instanceof Problem) || error.errors === undefined) throw error
  throw new Error([...new Set(error.errors.map(({ message }) => message))].join('. '))
}

/** Plans a departure for the day after the last day, on which the person still works. */
export const usePlanDeparture = (plan: FormPlan | null, onDone: () => void) =>
  useMutation({
    mutationFn: async ({ lastDay, ...given }: PlannedDeparture) =>
      withSignIn(async () => plan?.send({ [LEAVING]: { left: true, ...given } }, addDays(lastDay, 1)).catch(throwReasons)),
    onSuccess: onDone,
  })

export const useDeleteDeparture = ({ _id, version }: LeavingPerson, onDone: () => void) =>
  useMutation({
    mutationFn: () => withSignIn(() => send(deleteDeparture, { params: { id: _id }, version })),
    onSuccess: (answer) => {
      cachePerson(answer)
      onDone()
    },
  })
