import { useNavigate } from '@tanstack/react-router'

import { useAddress } from '../address.ts'
import type { Search } from '../address.ts'
import { focusPage } from '../navigation.ts'

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
  const [{ edit }] = useAddress()
  const navigate = useNavigate()
  const openAs = (mode: string) => () =>
    void navigate({ to: '.', search: (before: Search) => ({ ...before, edit: mode }), replace: inPlace, resetScroll: true })
  return {
    isEditing: edit !== undefined && edit !== '',
    isResuming: edit === RESUME,
    open: openAs('1'),
    resume: openAs(RESUME),
    close: () =>
      void navigate({
        to: '.',
        search: (before: Search) => ({ ...before, edit: undefined }),
        replace: true,
        ignoreBlocker: true,
        resetScroll: true,
      }).then(() => requestAnimationFrame(focusPage)),
  }
}
