import dns, { type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

import { findAddressError } from './rules.ts'

/** IPv4 addresses that are not reachable over the internet (IANA's registry of special-purpose addresses). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Only global unicast IPv6 addresses are public, except for protocols, documentation, and 6to4, which contains an IPv4 address. */
const PUBLIC_IPV6 = '2000::/3'
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const toBlockList = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
const specialIpv4 = toBlockList(SPECIAL_IPV4, 'ipv4')
const publicIpv6 = toBlockList([PUBLIC_IPV6], 'ipv6')
const specialIpv6 = toBlockList(SPECIAL_IPV6, 'ipv6')

/** Whether an address is public: not of this machine, a private network, or a special purpose. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !specialIpv4.check(address, 'ipv4')
  return family === 6 && !address.includes('%') && publicIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

/** The host of a URL if it is an IP address; `URL` has normalized every notation (decimal, hexadecimal, octal). */
const getLiteralAddress = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

const LOCAL_NAME = /(^|\.)localhost\.?$/
const formatPrivate = (host: string): string => `${host} is an address of a private network or of this machine`

/** What is wrong with the URL of a webhook, before its name is looked up; undefined if nothing. */
export const findTargetError = (address: string, allowPrivate: boolean): string | undefined => {
  const error = findAddressError(address, allowPrivate)
  if (allowPrivate || !URL.canParse(address)) return error
  const url = new URL(address)
  const literal = getLiteralAddress(url)
  const isPrivate = literal === undefined ? LOCAL_NAME.test(url.hostname) : !isPublicAddress(literal)
  return isPrivate ? formatPrivate(url.hostname) : error
}

/** A target that must not be connected to. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

type Resolve = (hostname: string, options: dns.LookupAllOptions, callback: (error: Error | null, found: LookupAddress[]) => void) => void

/**
 * A name lookup that only returns public addresses. The connection uses the addresses of this very response, so that a name that resolves differently
 * the next time (DNS rebinding) cannot redirect it.
 */
export const createPublicLookup =
  (resolve: Resolve = dns.lookup): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const addresses = found.filter(({ address }) => isPublicAddress(address))
      const [first] = addresses
      if (!first) return callback(new RefusedTarget(formatPrivate(`${hostname} (${found[0]?.address ?? 'no address'})`)), '')
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
