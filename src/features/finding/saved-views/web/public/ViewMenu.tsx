import { IconBookmark, IconBookmarkPlus } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { memo, useRef, useState } from 'react'

import { ButtonPanel } from '../../../../../platform/web/kit/ButtonPanel.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { ToolButton } from '../../../../../platform/web/list/ToolButton.tsx'
import { useSearchParams, formatSearch } from '../../../../../platform/web/search-params.ts'
import type { SavedView } from '../../contract.ts'
import { NameDialog } from '../NameDialog.tsx'
import { useRenameView, useSaveView, useViews } from '../queries.ts'
import { formatFilters, isSameView, formatListName } from '../view-address.ts'
import { ViewRow } from '../ViewRow.tsx'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './ViewMenu.module.css'

type OpenDialog = { for: 'save' } | { for: 'rename'; view: SavedView }

const formatAbout = (list: { page: string; search: string }): string => {
  const filters = formatFilters(list)
  return filters ? `${formatListName(list)}: ${filters}` : `${formatListName(list)}, no filters`
}

interface ViewsProps {
  title: string
  views: readonly SavedView[]
  here: { page: string; search: string }
  onRename: (view: SavedView) => void
  onRemoved: () => void
  onClose: () => void
}

/** Views of the current list come first. */
const Views = ({ title, views: selectViews, here, onRename, onRemoved, onClose }: ViewsProps) =>
  selectViews.length === 0 ? null : (
    <section>
      <h2 className={`${textClasses.label} ${classes.title}`}>{title}</h2>
      <ul>
        {selectViews
          .toSorted((a, b) => Number(b.page === here.page) - Number(a.page === here.page))
          .map((view) => (
            <ViewRow
              key={view._id}
              view={view}
              isCurrent={isSameView(view, here)}
              isOfThisList={view.page === here.page}
              onRename={() => onRename(view)}
              onRemoved={onRemoved}
              onOpen={onClose}
            />
          ))}
      </ul>
    </section>
  )

/** The menu of views: opens the user's own and shared views, and saves the current list as one. */
export const ViewMenu = memo(() => {
  const query = useViews()
  const page = useLocation({ select: (location) => location.pathname })
  const [address] = useSearchParams()
  const here = { page, search: formatSearch(address).slice(1) }
  const [isOpen, setOpen] = useState(false)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const saving = useSaveView()
  const renaming = useRenameView()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  const showDialog = (next: OpenDialog) => {
    saving.reset()
    renaming.reset()
    setOpen(false)
    setOpenDialog(next)
  }
  const closeDialog = () => {
    setOpenDialog(null)
    button.current?.focus()
  }
  const changing = openDialog?.for === 'rename' ? renaming : saving
  const keep = (name: string) => {
    const done = { onSuccess: closeDialog }
    if (openDialog?.for === 'rename') renaming.mutate({ id: openDialog.view._id, name }, done)
    else saving.mutate({ name, ...here }, done)
  }
  const sections = { here, onRename: (view: SavedView) => showDialog({ for: 'rename', view }), onClose: () => setOpen(false) }

  return (
    <>
      <ButtonPanel
        isOpen={isOpen}
        onToggle={setOpen}
        label="Views"
        className={`${layoutClasses.scrolling} ${classes.panel}`}
        width={340}
        button={
          <ToolButton ref={button} icon={IconBookmark} data-print="no" onClick={() => setOpen(!isOpen)}>
            Views
          </ToolButton>
        }
      >
        <div ref={panel} tabIndex={-1}>
          <button
            type="button"
            className={`${layoutClasses.option} ${layoutClasses.hoverable} ${textClasses.linkColor} ${textClasses.strong} ${classes.save}`}
            data-autofocus
            onClick={() => showDialog({ for: 'save' })}
          >
            <IconBookmarkPlus size={18} stroke={1.75} aria-hidden />
            Save this view…
          </button>
          <LoadedList query={query} skeleton={null}>
            {(selectViews) =>
              selectViews.length === 0 ? (
                <p className={`${textClasses.note} ${classes.none}`}>
                  No saved views. Save this list with its filters to open it again later.
                </p>
              ) : (
                <>
                  <Views
                    title="Your views"
                    views={selectViews.filter((view) => view.mine)}
                    onRemoved={() => panel.current?.focus()}
                    {...sections}
                  />
                  <Views
                    title="Shared with everyone"
                    views={selectViews.filter((view) => !view.mine)}
                    onRemoved={() => panel.current?.focus()}
                    {...sections}
                  />
                </>
              )
            }
          </LoadedList>
        </div>
      </ButtonPanel>
      {openDialog ? (
        <NameDialog
          title={openDialog.for === 'rename' ? 'Rename view' : 'Save this view'}
          name={openDialog.for === 'rename' ? openDialog.view.name : ''}
          about={formatAbout(openDialog.for === 'rename' ? openDialog.view : here)}
          save={openDialog.for === 'rename' ? 'Rename' : 'Save view'}
          isSaving={changing.isPending}
          error={changing.error}
          onSave={keep}
          onChange={() => changing.reset()}
          onClose={closeDialog}
        />
      ) : null}
    </>
  )
})
ViewMenu.displayName = 'ViewMenu'
