import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { personQueryOptions } from '../../../records/people/web/queries.ts'
import { listOtherPeople, readDecisions, writeDecisions, type WrittenDecisions } from './reorganize-address.ts'
import type { Decisions, Holder, Position } from './reorganize.ts'

const NOTHING: WrittenDecisions = { stay: undefined, only: undefined, others: undefined }
const NO_PEOPLE: ReadonlyMap<string, Holder> = new Map()

/** Which positions stay and who gets the others: in local state, so that fast clicks do not wait for the URL, and in the URL. */
export const useDecisions = (
  positions: readonly Position[],
  address: WrittenDecisions,
  startsEmpty: boolean,
  change: (changed: Readonly<Record<string, string | undefined>>) => void,
) => {
  const [written, setWritten] = useState<WrittenDecisions>(() => ({ stay: address.stay, only: address.only, others: address.others }))
  const [chosen, setChosen] = useState(NO_PEOPLE)
  const others = useMemo(() => listOtherPeople(written).filter((slug) => !chosen.has(slug)), [written, chosen])
  const found = useQueries({
    queries: others.map((slug) => personQueryOptions(slug)),
    combine: (queries) => ({ people: queries.flatMap(({ data }) => data ?? []), isPending: queries.some(({ isPending }) => isPending) }),
  })
  const people = useMemo(
    () => new Map<string, Holder>([...chosen, ...found.people.map((person) => [person.slug, person] as const)]),
    [chosen, found.people],
  )
  const decisions = useMemo(() => readDecisions(positions, written, people, startsEmpty), [positions, written, people, startsEmpty])
  return {
    decisions,
    isPending: found.isPending,
    decide: (next: Decisions) => {
      const now = writeDecisions(positions, next, startsEmpty)
      setChosen(
        new Map([...people, ...[...next.others.values()].filter((to) => to !== 'vacant').map((person) => [person.slug, person] as const)]),
      )
      setWritten(now)
      change({ ...now })
    },
    /** Changes the question and discards the decisions. */
    restart: (changed: Readonly<Record<string, string | undefined>>) => {
      setWritten(NOTHING)
      change({ ...changed, ...NOTHING })
    },
  }
}
