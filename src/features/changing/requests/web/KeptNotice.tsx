import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useUser } from '../../../access/session/web/queries.ts'
import type { KeptRequest } from '../contract.ts'
import { KEPT_WORDS } from '../rules.ts'

import classes from './RequestModal.module.css'

/** What a window says once its request is kept. */
export const KeptNotice = ({ kept, onClose }: { kept: KeptRequest; onClose: () => void }) => {
  const user = useUser()
  return (
    <div className={classes.form}>
      <div role="status">
        <p>{KEPT_WORDS[kept.mail]}</p>
        {kept.notice === null ? null : <p>{kept.notice}</p>}
      </div>
      {user ? (
        <p className={classes.note}>
          You can check its status under{' '}
          <Anchor component={Link} inherit to={`/requests?request=${kept._id}`} onClick={onClose}>
            My Requests
          </Anchor>
          .
        </p>
      ) : null}
      <div className={classes.buttons}>
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </div>
  )
}
