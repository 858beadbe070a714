import { useNavigate } from '@tanstack/react-router'

import { useAddress } from '../address.ts'
import type { Search } from '../address.ts'
import { focusPage } from '../navigation.ts'

interface EditMode {
  readonly isEditing: boolean
  readonly open: () => void
  readonly close: () => void
}

/** Whether a page shows its form (`?edit=1`), so that a reload stays in it and Back leaves it: to the page itself, or with it where `inPlace`. */
export const useEditMode = ({ inPlace = false } = {}): EditMode => {
  const [{ edit }] = useAddress()
  const navigate = useNavigate()
  return {
    isEditing: edit !== undefined && edit !== '',
    open: () => void navigate({ to: '.', search: (before: Search) => ({ ...before, edit: '1' }), replace: inPlace, resetScroll: true }),
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
