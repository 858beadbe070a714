import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconDots, IconLink, IconMail, IconPencil, IconTrash, IconUsers, IconUsersMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'

import { useCan } from '../../../../platform/web/caller.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { parseSearch } from '../../../../platform/web/search-params.ts'
import type { SavedView } from '../contract.ts'
import { useDeleteView, useShareView } from './queries.ts'
import { getViewLink, formatListName, getMailtoLink } from './view-address.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './public/ViewMenu.module.css'

interface ViewRowProps {
  view: SavedView
  isCurrent: boolean
  isOfThisList: boolean
  onRename: () => void
  /** Called after the row is removed, to move the focus. */
  onRemoved: () => void
  onOpen: () => void
}

/** The list it opens, and who shared it. */
const about = ({ view, isOfThisList }: Pick<ViewRowProps, 'view' | 'isOfThisList'>): string =>
  [isOfThisList ? null : formatListName(view), view.mine ? (view.shared ? 'Shared' : null) : `by ${view.by}`].filter(Boolean).join(' · ')

const Actions = ({ id, view, onRename, onRemoved }: Pick<ViewRowProps, 'view' | 'onRename' | 'onRemoved'> & { id: string }) => {
  const mayShare = useCan('share a view')
  const clipboard = useClipboard({ timeout: 2000 })
  const sharing = useShareView()
  const deleting = useDeleteView()
  const [isSure, setSure] = useState(false)
  const error = sharing.error ?? deleting.error
  const small = { size: 'compact-sm', variant: 'default' } as const

  return (
    <div id={id} className={`${layoutClasses.wrappingRow} ${classes.actions}`} role="group" aria-label={`Actions for ${view.name}`}>
      <Button
        {...small}
        leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconLink size={14} />}
        onClick={() => clipboard.copy(getViewLink(view))}
      >
        {clipboard.copied ? 'Copied' : 'Copy link'}
      </Button>
      <Button {...small} component="a" href={getMailtoLink(view)} leftSection={<IconMail size={14} />}>
        Send by email
      </Button>
      {view.mine ? (
        <Button {...small} leftSection={<IconPencil size={14} />} onClick={onRename}>
          Rename
        </Button>
      ) : null}
      {mayShare && (view.mine || view.shared) ? (
        <Button
          {...small}
          leftSection={view.shared ? <IconUsersMinus size={14} /> : <IconUsers size={14} />}
          loading={sharing.isPending}
          onClick={() => sharing.mutate({ id: view._id, shared: !view.shared }, view.mine ? {} : { onSuccess: onRemoved })}
        >
          {view.shared ? 'Stop sharing' : 'Share'}
        </Button>
      ) : null}
      {view.mine ? (
        // One button for both steps, so that the focus stays where it is.
        <Button
          {...small}
          {...(isSure ? { variant: 'filled', color: 'red' } : {})}
          leftSection={<IconTrash size={14} />}
          loading={deleting.isPending}
          onClick={() => (isSure ? deleting.mutate({ id: view._id }, { onSuccess: onRemoved }) : setSure(true))}
        >
          {isSure ? (view.shared ? 'Delete for everyone' : 'Delete permanently') : 'Delete'}
        </Button>
      ) : null}
      {error ? (
        <p role="alert" className={`${layoutClasses.badGround} ${layoutClasses.fullWidth} ${layoutClasses.rounded} ${classes.failed}`}>
          Error: {errorMessage(error)}
        </p>
      ) : null}
      <VisuallyHidden role="status">{clipboard.copied ? 'Copied link' : ''}</VisuallyHidden>
    </div>
  )
}

/** One view: a link with its name, and its actions below when expanded. */
export const ViewRow = ({ view, isCurrent, isOfThisList, onRename, onRemoved, onOpen }: ViewRowProps) => {
  const [isUnfolded, setUnfolded] = useState(false)
  const id = useId()
  const line = about({ view, isOfThisList })
  return (
    <li>
      <div className={`${layoutClasses.row} ${layoutClasses.gap4}`}>
        <Link
          to={view.page}
          search={parseSearch(view.search)}
          className={`${layoutClasses.iconAndText} ${layoutClasses.rounded} ${layoutClasses.hoverable} ${textClasses.textColor} ${classes.link}`}
          aria-current={isCurrent ? 'page' : undefined}
          activeOptions={{ exact: true }}
          onClick={onOpen}
        >
          <span className={`${layoutClasses.rigidFlex} ${classes.icon}`}>
            {isCurrent ? <IconCheck size={16} stroke={2} aria-hidden /> : null}
          </span>
          <span className={layoutClasses.column}>
            <span className={`${layoutClasses.breakable} ${classes.name}`}>{view.name}</span>
            {line ? <span className={`${textClasses.caption} ${textClasses.count} ${classes.line}`}>{line}</span> : null}
          </span>
        </Link>
        <ActionIcon
          aria-label={`Actions for ${view.name}`}
          aria-expanded={isUnfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {isUnfolded ? <Actions id={id} view={view} onRename={onRename} onRemoved={onRemoved} /> : null}
    </li>
  )
}
