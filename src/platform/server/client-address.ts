import { isIPv6 } from 'node:net'

/** Longer ones are no network address: a proxy may send anything as one. */
const MAX_KEY_LENGTH = 60

/** The eight groups of an IPv6 address, without leading zeros. */
const toIpv6Groups = (address: string): string[] => {
  // The parser of addresses knows every way to write one.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
}

/**
 * What a limit counts a caller without a session by: an IPv4 address whole, also where it is written as an IPv6 one, and of an IPv6 address the first
 * 64 bits, since someone who has one address of such a network usually has all 2^64.
 */
export const getAddressKey = (address: string): string => {
  const bare = address.split('%', 1)[0] ?? ''
  if (!isIPv6(bare)) return address.slice(0, MAX_KEY_LENGTH)
  const groups = toIpv6Groups(bare)
  const isIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  if (!isIPv4) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.')
}
