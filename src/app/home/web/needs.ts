import type { NamedDraft } from '../../../platform/web/form/drafts.ts'
import type { Home } from '../response.ts'

export interface Needs {
  readonly home: Home
  readonly drafts: readonly NamedDraft[]
}

/** The numbers in the summary line: the id of their section, their text, and their count. */
export const NEEDED_NUMBERS: readonly (readonly [id: string, one: string, many: string, count: (needs: Needs) => number])[] = [
  ['checks-title', 'site to check', 'sites to check', ({ home }) => home.checks.count],
  ['suggestions-title', 'suggested change', 'suggested changes', ({ home }) => home.suggestions.count],
  ['requests-title', 'request', 'requests', ({ home }) => home.requests.count],
  ['answers-title', 'answer', 'answers', ({ home }) => home.answers.count],
  ['comments-title', 'comment', 'comments', ({ home }) => home.comments.count],
  ['deadlines-title', 'deadline', 'deadlines', ({ home }) => home.deadlines.count],
  ['deadlines-title', 'overdue', 'overdue', ({ home }) => home.deadlines.overdue],
  ['positions-title', 'position', 'positions', ({ home }) => home.positions.count],
  ['drafts-title', 'unsaved', 'unsaved', ({ drafts }) => drafts.length],
]

/** Whether anything needs the user's attention. */
export const hasNeeds = (needs: Needs): boolean => NEEDED_NUMBERS.some(([, , , count]) => count(needs) > 0)
