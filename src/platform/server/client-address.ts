import { isIPv6 } from 'node:net'

/** Longer text is not a network address; a proxy may send any text. */
const MAX_KEY_LENGTH = 60

/** The eight groups of an IPv6 address, without leading zeros. */
const toIpv6Groups = (address: string): string[] => {
  // The URL parser accepts every notation.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
}

/**
 * The key by which limits count a caller without a session: a whole IPv4 address, also when written as IPv6, or the first 64 bits of an IPv6 address,
 * since a client usually controls all 2^64 addresses of its network.
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
