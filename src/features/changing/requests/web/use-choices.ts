import { useEffect, useMemo, useState } from 'react'

import { deleteDraft, readDraft, saveDraft } from '../../../../platform/web/form/drafts.ts'
import type { Proposal } from '../contract.ts'
import { type DecisionChoice, chooseOne, type Choices, keepChoices } from './decision.ts'

const REASONS = 'reasons for declining'
const MAX_REASONS = 3

const write = (name: string, values: object, isListed = true): void =>
  saveDraft(name, { at: new Date().toISOString(), version: null, base: {}, values: { ...values }, ...(isListed ? {} : { page: null }) })

/** The most recent reasons for declining, newest first. */
export const readReasons = (): readonly string[] => (readDraft(REASONS)?.values['reasons'] ?? []) as readonly string[]

/** Stores reasons that were sent, on this device. */
export const rememberReasons = (reasons: readonly string[]): void =>
  write(REASONS, { reasons: [...new Set([...reasons, ...readReasons()])].slice(0, MAX_REASONS) }, false)

/** The choices for the fields of a proposal, stored on this device until they are sent. */
export const useChoices = ({ _id, fields }: Proposal) => {
  const name = `decision ${_id}`
  const [stored, setStored] = useState(() => (readDraft(name)?.values ?? {}) as Choices)
  const choices = useMemo(() => keepChoices(fields, stored), [fields, stored])
  useEffect(() => {
    if (Object.keys(stored).length > 0) write(name, stored)
    else deleteDraft(name)
  }, [name, stored])
  return {
    choices,
    choose: (key: string, choice: DecisionChoice | undefined) => setStored((before) => chooseOne(before, key, choice)),
    chooseAll: (all: Choices) => setStored({ ...stored, ...all }),
    clear: () => setStored({}),
  }
}
