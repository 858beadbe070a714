import { useNavigate, useRouter } from '@tanstack/react-router'

/** Goes back to the previous page, or to `otherwise` if the form is the first page of its window. */
export const useGoBack = (otherwise: '/' | '/brand' | '/charters'): (() => void) => {
  const router = useRouter()
  const navigate = useNavigate()
  return () => (router.history.canGoBack() ? router.history.back() : void navigate({ to: otherwise }))
}
