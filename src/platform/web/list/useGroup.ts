import type { Group } from '../../contract/status.ts'
import { useAddress } from '../address.ts'

/**
 * The Active and Closed toggles of a list that starts on Active; turning one off clears it. In the address 'all' is told apart
 * from the beginning, which says nothing.
 */
export const useGroup = (): [Group, (group: Group) => void] => {
  const [{ status }, change] = useAddress()
  const group: Group = status === 'closed' || status === 'all' ? status : 'active'
  return [group, (next) => change({ status: next === 'active' ? undefined : next })]
}
