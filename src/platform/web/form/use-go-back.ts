import { useNavigate, useRouter } from '@tanstack/react-router'

import type { PlainPath } from '../../../contract/pages.ts'

/** Goes back to the previous page, or to `otherwise` if the form is the first page of its window. */
export const useGoBack = (otherwise: PlainPath): (() => void) => {
  const router = useRouter()
  const navigate = useNavigate()
  return () => (router.history.canGoBack() ? router.history.back() : void navigate({ to: otherwise }))
}
