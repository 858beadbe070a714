import { Button, Modal } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'

import { useCan } from '../../../../platform/web/caller.ts'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

interface EditButtonProps {
  /** What it is called: 'charter'. */
  recordType: string
  onOpen: () => void
  /** Opens the form for suggesting changes. */
  onSuggest: () => void
}

/** The edit button of records that only administrators edit. Everyone sees it; people who cannot edit can suggest changes instead. */
export const EditButton = ({ recordType, onOpen, onSuggest }: EditButtonProps) => {
  const canEdit = useCan('manage the network')
  const [isExplaining, setExplaining] = useState(false)
  return (
    <>
      <HeadAction icon={IconPencil} worksOffline={!canEdit} onClick={canEdit ? onOpen : () => setExplaining(true)}>
        Edit
      </HeadAction>
      <Modal opened={isExplaining} onClose={() => setExplaining(false)} title="Only administrators can edit">
        <p className={layoutClasses.bottomMargin8}>
          You can view this {recordType}. An administrator can change it. You can suggest what should be different.
        </p>
        <div className={`${layoutClasses.buttons} ${layoutClasses.topMargin16}`}>
          <Button variant="default" data-autofocus onClick={() => setExplaining(false)}>
            Close
          </Button>
          <Button
            onClick={() => {
              setExplaining(false)
              onSuggest()
            }}
          >
            Request a Change
          </Button>
        </div>
      </Modal>
    </>
  )
}
