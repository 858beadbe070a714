import { useMutation } from '@tanstack/react-query'

import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { queryClient } from '../../../platform/web/queries.ts'
import type { Site } from '../../sites/contract.ts'
import { cacheSite } from '../../sites/web/queries.ts'

/** Changes the staff of a site. */
export const useStaffChange = <Change>(site: Site, sendChange: (change: Change) => Promise<Pick<Site, 'people'>>, onDone: () => void) =>
  useMutation({
    mutationFn: (change: Change) => withSignIn(() => sendChange(change)),
    onSuccess: ({ people }) => {
      cacheSite({ ...site, people })
      void queryClient.invalidateQueries()
      onDone()
    },
  })
