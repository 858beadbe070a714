import { OfflineEnd as End } from '../features/access/offline/web/public/OfflineLine.tsx'
import { WaitingSuggestions } from '../features/changing/requests/web/public/WaitingSuggestions.tsx'

export { OfflineLine } from '../features/access/offline/web/public/OfflineLine.tsx'

/** Below every page on a device that keeps the directory: what waits for a connection, and what needs one. */
export const OfflineEnd = ({ isOffline }: { isOffline: boolean }) => (
  <>
    <WaitingSuggestions />
    {isOffline ? <End /> : null}
  </>
)
