import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { BodyOf } from '../../../contract/call.ts'
import { send } from '../../../platform/web/client.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { callQueryOptions, getQueryKey } from '../../../platform/web/queries.ts'
import { createDossier, type Dossier, listDossiers } from '../contract.ts'

/** As often as a running download is looked at. */
const POLL_INTERVAL_MS = 2000

export const isBeingMade = ({ state }: Dossier): boolean => state === 'waiting' || state === 'making'

/** The dossiers of a charter, looked at while one is being made. */
export const useDossiers = (charter: string) =>
  useQuery({
    ...callQueryOptions(listDossiers, { query: { charter } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((dossier) => isBeingMade(dossier)) ? POLL_INTERVAL_MS : false),
  })

export const useCreateDossier = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof createDossier>) => withSignIn(() => send(createDossier, { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: getQueryKey(listDossiers) }),
  })
}
