import { useCan } from '../../../platform/web/caller.ts'
import { CheckCard } from '../../../platform/web/record-features.tsx'
import type { Charter, CharterWithSites } from '../contract.ts'

/** When the charter was last checked, with a button to check it. */
export const CharterCheck = ({ charter, onSuggest }: { charter: Charter | CharterWithSites; onSuggest: () => void }) => (
  <CheckCard kind="charter" record={charter} mayCheck={useCan('manage the network')} onSuggest={onSuggest} />
)
