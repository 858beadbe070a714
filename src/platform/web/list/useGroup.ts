import type { StatusGroup } from '../../contract/status.ts'
import { useAddress } from '../address.ts'

/**
 * The Active and Closed toggles of a list that starts on Active; turning one off clears it. In the address 'all' is told apart
 * from the beginning, which says nothing.
 */
export const useGroup = (): [StatusGroup, (group: StatusGroup) => void] => {
  const [{ status }, change] = useAddress()
  const group: StatusGroup = status === 'closed' || status === 'all' ? status : 'active'
  return [group, (next) => change({ status: next === 'active' ? undefined : next })]
}
