import { useCan } from '../../../features/access/session/web/queries.ts'
import { CheckCard } from '../../../features/record-tools/checks/web/public/CheckCard.tsx'
import type { Charter, CharterWithSites } from '../contract.ts'

/** When the charter was last checked, with a button to check it. */
export const CharterCheck = ({ charter, onSuggest }: { charter: Charter | CharterWithSites; onSuggest: () => void }) => (
  <CheckCard kind="charter" record={charter} mayCheck={useCan('manage the network')} onSuggest={onSuggest} />
)
