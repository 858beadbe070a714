import { useMutation } from '@tanstack/react-query'

import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import { queryClient } from '../../../platform/web/queries.ts'
import type { Site } from '../../sites/contract.ts'
import { cacheSite } from '../../sites/web/queries.ts'

/** Changes the staff of a site. */
export const useStaffChange = <Change>(
  site: Site,
  sendChange: (change: Change, saves: string[]) => Promise<Pick<Site, 'people'>>,
  onDone: () => void,
) =>
  useMutation({
    mutationFn: async (change: Change) => {
      const saves: string[] = []
      return { ...(await withSignIn(() => sendChange(change, saves))), saves }
    },
    onSuccess: ({ people, saves }) => {
      cacheSite({ ...site, people })
      void queryClient.invalidateQueries()
      onDone()
      // A plan has a notice of its own.
      if (saves.length > 0) showSaved({ saves })
    },
  })
