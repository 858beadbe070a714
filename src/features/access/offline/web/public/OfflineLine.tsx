import { configuration } from '../../../../../platform/web/configuration.ts'
import { useCopy } from '../../../../../platform/web/offline.ts'
import { formatAsOf } from '../../rules.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './OfflineLine.module.css'

/** 'Offline, as of 9:41 AM · 300 sites, 2,164 people' above a page that is answered from this device. */
export const OfflineLine = () => {
  const copy = useCopy()
  return copy === null ? null : (
    <p className={`${textClasses.small} ${layoutClasses.bottomMargin16} ${layoutClasses.sunkenGround} ${classes.line}`} role="status">
      <span>
        <strong>Offline</strong>, as of {formatAsOf(copy.confirmedAt, configuration.timeZone)}
      </span>{' '}
      <span className={textClasses.dimmed}>· {copy.contents}</span>
    </p>
  )
}

/** What cannot be done, at the end of the page. */
export const OfflineEnd = () => (
  <p className={`${textClasses.hint} ${layoutClasses.topMargin24}`}>Edit, history, charter affairs and requests need a connection.</p>
)
