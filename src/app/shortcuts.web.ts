import type { useRouter } from '@tanstack/react-router'

import { getRecordPath } from '../contract/records.ts'
import { openPalette } from '../platform/web/palette.ts'
import { callQueryOptions, queryClient } from '../platform/web/queries.ts'

/** Opens what a shortcut of the installed app names (`/?open=search`, in public/manifest.webmanifest). */
export const openShortcut = async (router: ReturnType<typeof useRouter>): Promise<void> => {
  const { pathname, search } = router.latestLocation
  const { open } = search as { open?: unknown }
  if (pathname !== '/' || open === undefined) return
  await router.navigate({ to: '/', replace: true })
  if (open === 'search') openPalette()
  if (open !== 'my-sites') return
  const { readOwnAccount } = await import('../features/access/accounts/contract.ts')
  // Someone without a record in the directory has favorites on the home page.
  const { person } = await queryClient.fetchQuery(callQueryOptions(readOwnAccount))
  if (person !== null) await router.navigate({ to: getRecordPath({ kind: 'person', slug: person }), replace: true })
}
