import { hash } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import { can } from '../../../contract/capabilities.ts'
import { memoize } from '../../../contract/memoize.ts'
import { forbidden, Problem, tooManyRequests } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getAddressKey } from '../../../platform/server/client-address.ts'
import { MinuteCounter } from '../../../platform/server/minute-counter.ts'
import { markDeviceUsed } from '../../access/devices/mutations.server.ts'
import { findDevice } from '../../access/devices/queries.server.ts'
import { MAX_WRONG_PASSWORDS } from './contract.ts'

const MAX_KEYS = 10_000
const RETRY_SECONDS = 60

/** Who has sent wrong passwords within this minute, and which right ones are known, by their hash. */
const getAttempts = memoize((_context: AppContext) => ({ wrong: new MinuteCounter(MAX_KEYS), right: new Set<string>() }))

/** The name and password of a request (RFC 7617). */
const readCredentials = (header: string | undefined): { username: string; password: string } | undefined => {
  const [, encoded] = /^Basic +([\w+/=-]{1,1000})$/i.exec(header ?? '') ?? []
  const [, username, password] = /^([^:]*):(.*)$/su.exec(encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  return username === undefined || password === undefined || `${username}${password}`.includes('\0') ? undefined : { username, password }
}

const refuse = (): Problem =>
  new Problem(401, 'This device is not known, or its password has ended', { detail: 'Add the device on your account page.' })

/**
 * The owner of the device that sends a request, at their level of this moment. Wrong passwords are slowed by network address and by account. A
 * password that was right before is always looked up, so that an attack on an account does not lock out its devices.
 */
export const signInDevice = async (context: AppContext, request: FastifyRequest): Promise<SignedIn> => {
  const credentials = readCredentials(request.headers.authorization)
  if (!credentials) throw refuse()
  const { wrong, right } = getAttempts(context)
  const { username, password } = credentials
  const key = hash('sha256', `${username}\n${password}`, 'base64')
  const limits = [
    [`address ${getAddressKey(request.ip)}`, MAX_WRONG_PASSWORDS.address],
    [`account ${hash('sha256', username.toLowerCase(), 'base64')}`, MAX_WRONG_PASSWORDS.account],
  ] as const
  if (!right.has(key) && limits.some(([name, most]) => wrong.get(name) >= most)) throw tooManyRequests(RETRY_SECONDS)
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null
  const device = await findDevice(context.db, context.configuration, { username, password, userAgent })
  if (!device) {
    right.delete(key)
    for (const [name] of limits) wrong.add(name)
    throw refuse()
  }
  if (right.size >= MAX_KEYS) right.clear()
  right.add(key)
  if (device.isMarkDue)
    await markDeviceUsed(context.db, device._id, userAgent).catch((error: unknown) =>
      context.log.warn({ err: error }, 'A device could not be marked as used'),
    )
  if (!can(device.user.accessLevel, 'browse the directory')) throw forbidden('browse the directory')
  return device.user
}
