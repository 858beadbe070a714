import { isActive, isClosed } from '../../contract/status.ts'
import type { Status } from '../../contract/status.ts'
import { useAddress } from '../address.ts'

/** Which of the two groups of section 4 a list shows. */
export type Group = 'active' | 'closed' | 'all'

export const isOfGroup = (group: Group, status: Status): boolean =>
  group === 'all' || (group === 'active' ? isActive(status) : isClosed(status))

/**
 * The Active and Closed toggles of a list that starts on Active; turning one off clears it. In the address 'all' is told apart
 * from the beginning, which says nothing.
 */
export const useGroup = (): [Group, (group: Group) => void] => {
  const [{ status }, change] = useAddress()
  const group: Group = status === 'closed' || status === 'all' ? status : 'active'
  return [group, (next) => change({ status: next === 'active' ? undefined : next })]
}
