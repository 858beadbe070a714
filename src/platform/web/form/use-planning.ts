import { useRef, useState } from 'react'

import type { FormPlan } from './plan.ts'

/** The question for which day a form's changes are kept, and the day while they are sent. */
export const usePlanning = (plan: FormPlan | null) => {
  const day = useRef<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  return {
    isAsking,
    /** Undefined where the form cannot plan. */
    ask: plan ? () => setAsking(true) : undefined,
    close: () => setAsking(false),
    /** Whether what the form sends is planned, not saved. */
    isPlanning: () => day.current !== null,
    send: (changes: Readonly<Record<string, unknown>>) => (plan && day.current !== null ? plan.send(changes, day.current) : undefined),
    /** Runs the save of the form for a day: its own rules hold. */
    run: async (chosen: string, save: () => Promise<void>) => {
      setAsking(false)
      day.current = chosen
      await save()
      day.current = null
    },
  }
}
