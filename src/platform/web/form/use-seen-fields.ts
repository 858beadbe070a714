import { type RefObject, useEffect, useRef } from 'react'

/** How much of a field has to be on the screen; of one that is taller than the screen, the part that fits. */
const SEEN_RATIO = 0.9
const listFields = (form: HTMLElement | null): HTMLElement[] => [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]

/** Whether every field of a form has been on the screen since the form was opened. */
export const useSeenFields = (form: RefObject<HTMLElement | null>): (() => boolean) => {
  const seen = useRef(new Set<string | undefined>())
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio, intersectionRect } of entries)
          if (intersectionRatio >= SEEN_RATIO || intersectionRect.height > innerHeight / 2)
            seen.current.add((target as HTMLElement).dataset['field'])
      },
      { threshold: [0.25, 0.5, 0.75, SEEN_RATIO] },
    )
    for (const field of listFields(form.current)) observer.observe(field)
    return () => observer.disconnect()
  }, [form])
  return () => {
    const fields = listFields(form.current)
    return fields.length > 0 && fields.every(({ dataset }) => seen.current.has(dataset['field']))
  }
}
