import { useRef, useState } from 'react'

import type { FormPlan } from './plan.ts'

/** State of the dialog that asks on which day a form's changes take effect, and the chosen day while they are sent. */
export const usePlanning = (plan: FormPlan | null) => {
  const day = useRef<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  return {
    isAsking: isOpen,
    /** Undefined where the form cannot plan. */
    ask: plan ? () => setOpen(true) : undefined,
    close: () => setOpen(false),
    /** Plans the changes, which answers with null; undefined if the form is saved instead. */
    send: (changes: Readonly<Record<string, unknown>>): Promise<null> | undefined =>
      plan && day.current !== null ? plan.send(changes, day.current).then(() => null) : undefined,
    /** Runs the form's save for a day, with its usual validation. */
    run: async (chosen: string, save: () => Promise<void>) => {
      setOpen(false)
      day.current = chosen
      await save()
      day.current = null
    },
  }
}
