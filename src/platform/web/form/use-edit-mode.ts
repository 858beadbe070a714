import { useNavigate } from '@tanstack/react-router'

import { focusPage } from '../navigation.ts'
import { useSearchParams } from '../search-params.ts'
import type { SearchParams } from '../search-params.ts'

interface EditMode {
  readonly isEditing: boolean
  /** The form opens with its draft in it. */
  readonly isResuming: boolean
  readonly open: () => void
  readonly resume: () => void
  readonly close: () => void
}

const RESUME = 'resume'

/** Whether a page shows its form (`?edit=1`, with its draft in it `?edit=resume`), so that a reload stays in it and Back leaves it: to the page itself, or with it where `inPlace`. */
export const useEditMode = ({ inPlace = false } = {}): EditMode => {
  const [{ edit }] = useSearchParams()
  const navigate = useNavigate()
  const openAs = (mode: string) => () =>
    void navigate({ to: '.', search: (before: SearchParams) => ({ ...before, edit: mode }), replace: inPlace, resetScroll: true })
  return {
    isEditing: edit !== undefined && edit !== '',
    isResuming: edit === RESUME,
    open: openAs('1'),
    resume: openAs(RESUME),
    close: () =>
      void navigate({
        to: '.',
        search: (before: SearchParams) => ({ ...before, edit: undefined }),
        replace: true,
        ignoreBlocker: true,
        resetScroll: true,
      }).then(() => requestAnimationFrame(focusPage)),
  }
}
