import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import type { Proposal } from '../../requests/contract.ts'
import { countOpenFields } from '../../requests/rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import classes from './ConfirmCheckDialog.module.css'

interface ConfirmCheckDialogProps {
  /** The open suggestions for the record, newest first. */
  readonly proposals: readonly Proposal[]
  readonly isBusy: boolean
  readonly onCheck: () => void
  readonly onClose: () => void
}

/** Asks for confirmation before checking a record with open suggestions, since they may mean that something is wrong. */
export const ConfirmCheckDialog = ({ proposals, isBusy, onCheck, onClose }: ConfirmCheckDialogProps) => {
  useReturnFocus()
  const oldest = proposals.at(-1)
  const count = countOpenFields(proposals)
  const canDecide = proposals.some((proposal) => proposal.canDecide)
  const them = count === 1 ? 'it' : 'them'
  return (
    <Modal opened onClose={onClose} title={count === 1 ? '1 suggested change waits' : `${count} suggested changes wait`} size={480}>
      <p className={layoutClasses.bottomMargin20}>{`${canDecide ? 'Decide' : 'See'} ${them}, or check the rest?`}</p>
      <div className={`${layoutClasses.wrappingRow} ${layoutClasses.atEnd} ${classes.buttons}`}>
        <Button variant="default" loading={isBusy} onClick={onCheck}>
          Check the rest
        </Button>
        {oldest ? (
          <Button component={Link} to={`/requests/${oldest._id}`} data-autofocus>
            {`${canDecide ? 'Decide' : 'See'} ${them}`}
          </Button>
        ) : null}
      </div>
    </Modal>
  )
}
