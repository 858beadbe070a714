import type { StatusGroup } from '../../../contract/status.ts'
import { useSearchParams } from '../search-params.ts'

/**
 * The Active and Closed toggles of a list that starts with Active; turning one off clears it. In the URL, 'all' distinguishes that state from the
 * initial one, which has no parameter.
 */
export const useStatusGroup = (): [StatusGroup, (group: StatusGroup) => void] => {
  const [{ status }, change] = useSearchParams()
  const group: StatusGroup = status === 'closed' || status === 'all' ? status : 'active'
  return [group, (next) => change({ status: next === 'active' ? undefined : next })]
}
