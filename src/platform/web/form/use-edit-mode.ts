import { useNavigate } from '@tanstack/react-router'

import { isUuid } from '../../../contract/slugs.ts'
import { focusPage } from '../navigation.ts'
import { pastDay } from '../past-day.ts'
import { useSearchParams } from '../search-params.ts'
import type { SearchParams } from '../search-params.ts'

interface EditMode {
  readonly isEditing: boolean
  /** The form opens with its draft. */
  readonly isResuming: boolean
  readonly open: () => void
  readonly resume: () => void
  /** Whether the form suggests changes rather than saving them. */
  readonly isSuggesting: boolean
  readonly suggest: () => void
  readonly resumeSuggesting: () => void
  readonly close: () => void
}

/** The value of the `edit` parameter for suggesting changes: `?edit=suggest`. */
export const SUGGEST = 'suggest'
const RESUME_SUGGESTING = 'suggest-resume'
const RESUME = 'resume'

/** The search parameters that open a form with its unsaved changes, from their storage key. */
export const getResumeSearch = (draft: string): Readonly<Record<string, string>> => {
  const [kind, of] = [draft.split(' ')[0], draft.slice(draft.indexOf(' ') + 1)]
  if (kind === 'decision' || kind === 'cell') return {}
  if (kind !== 'suggestion') return { edit: RESUME }
  return { edit: RESUME_SUGGESTING, ...(isUuid(of) ? { suggestion: of } : {}) }
}

/**
 * Whether a page shows its form (`?edit=1`, with its draft `?edit=resume`, for suggestions `?edit=suggest`), so that a reload stays in the form and
 * Back leaves it: to the page itself, or together with the page if `inPlace`.
 */
export const useEditMode = ({ inPlace = false } = {}): EditMode => {
  const [{ edit }] = useSearchParams()
  const navigate = useNavigate()
  const openAs = (mode: string) => () =>
    void navigate({ to: '.', search: (before: SearchParams) => ({ ...before, edit: mode }), replace: inPlace, resetScroll: true })
  return {
    isEditing: pastDay === undefined && edit !== undefined && edit !== '',
    isResuming: edit === RESUME || edit === RESUME_SUGGESTING,
    isSuggesting: edit === SUGGEST || edit === RESUME_SUGGESTING,
    suggest: openAs(SUGGEST),
    resumeSuggesting: openAs(RESUME_SUGGESTING),
    open: openAs('1'),
    resume: openAs(RESUME),
    close: () =>
      void navigate({
        to: '.',
        search: (before: SearchParams) => ({ ...before, edit: undefined, suggestion: undefined }),
        replace: true,
        ignoreBlocker: true,
        resetScroll: true,
      }).then(() => requestAnimationFrame(focusPage)),
  }
}
