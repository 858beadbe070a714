import { useQuery } from '@tanstack/react-query'

import { useUser } from '../../../../platform/web/caller.ts'
import { send } from '../../../../platform/web/client.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { createDeviceProfile, listDevices, type NewDevice } from '../contract.ts'

/** The user's own devices; those of another account for level 1. */
export const useDevices = (account: string | null) => {
  const user = useUser()
  return useQuery({
    ...callQueryOptions(listDevices),
    // A device may sync at any time.
    staleTime: 0,
    select: (devices) => devices.filter(({ owner }) => owner._id === (account ?? user?._id)),
  })
}

export const invalidateDevices = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(listDevices) })

/** The address of the configuration profile of a new device. */
export const useDeviceProfile = ({ _id, password }: NewDevice) =>
  useQuery({
    queryKey: ['device profile', _id],
    queryFn: () => send(createDeviceProfile, { params: { id: _id }, body: { password } }),
    staleTime: Infinity,
    // The address contains the password.
    gcTime: 0,
  })
