import { usePlan, useSuggestion } from '../../../../platform/web/record-features.tsx'

/** How the changes in the form of a record are saved, suggested and planned: the props that all these forms have in common. */
export const useRecordForm = (record: Parameters<typeof useSuggestion>[0], onClose: () => void) => ({
  name: record.name,
  params: { id: record._id },
  onCancel: onClose,
  suggestion: useSuggestion(record),
  plan: usePlan(record),
})
