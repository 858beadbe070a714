import { expect, test } from 'vitest'

import { callName } from '../contract/call.ts'
import { calls } from './routes.server.ts'

const contracts = import.meta.glob<Record<string, unknown>>(
  ['../{features,records}/**/contract.ts', './*/contract.ts', '../contract/pictures.ts'],
  { eager: true },
)

const isCall = (value: unknown): value is (typeof calls)[number] =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'capability' in value

/** The calls that a contract exports, directly or as the values of an object. */
const findCalls = (exported: unknown) =>
  isCall(exported) ? [exported] : Object.values(typeof exported === 'object' ? (exported ?? {}) : {}).filter(isCall)

test('every call in a contract has one route, and every route belongs to a call in a contract', () => {
  const declared = Object.values(contracts).flatMap((contract) => Object.values(contract).flatMap(findCalls))
  expect(calls.map(callName).toSorted()).toEqual(declared.map(callName).toSorted())
})
