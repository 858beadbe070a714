import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useUser } from '../../../../platform/web/caller.ts'
import type { SavedRequest } from '../contract.ts'
import { SAVED_MESSAGES } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './RequestModal.module.css'

/** The message after a request is saved. */
export const SavedNotice = ({ kept, onClose }: { kept: SavedRequest; onClose: () => void }) => {
  const user = useUser()
  return (
    <div className={layoutClasses.stack}>
      <div role="status">
        <p>{SAVED_MESSAGES[kept.mail]}</p>
        {kept.notice === null ? null : <p>{kept.notice}</p>}
      </div>
      {user ? (
        <p className={textClasses.caption}>
          You can check its status under{' '}
          <Anchor component={Link} inherit to={`/requests?request=${kept._id}`} onClick={onClose}>
            My Requests
          </Anchor>
          .
        </p>
      ) : null}
      <div className={`${layoutClasses.spaced} ${layoutClasses.atEnd} ${classes.buttons}`}>
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </div>
  )
}
