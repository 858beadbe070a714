import { usePlan } from '../../../../features/record-tools/changesets/web/queries.ts'
import { useSuggestion } from '../../../../features/record-tools/requests/web/queries.ts'

/** How the changes in the form of a record are saved, suggested and planned: the props that all these forms have in common. */
export const useRecordForm = (record: Parameters<typeof useSuggestion>[0], onClose: () => void) => ({
  params: { id: record._id },
  onCancel: onClose,
  suggestion: useSuggestion(record),
  plan: usePlan(record),
})
