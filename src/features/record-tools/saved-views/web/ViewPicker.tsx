import { Popover } from '@mantine/core'
import { IconBookmark, IconBookmarkPlus } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { memo, useRef, useState } from 'react'

import { useAddress, writeSearch } from '../../../../platform/web/address.ts'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import type { SavedView } from '../contract.ts'
import { NameDialog } from './NameDialog.tsx'
import { useRenameView, useSaveView, useViews } from './queries.ts'
import { filtersOfView, isSamePlace, listOfView } from './viewAddress.ts'
import { ViewRow } from './ViewRow.tsx'

import chips from '../../../../platform/web/list/Filters.module.css'
import classes from './ViewPicker.module.css'

type Asking = { for: 'save' } | { for: 'rename'; view: SavedView }

const aboutOf = (place: { page: string; search: string }): string => {
  const filters = filtersOfView(place)
  return filters ? `${listOfView(place)}: ${filters}` : `${listOfView(place)}, no filters`
}

interface ViewsProps {
  title: string
  views: readonly SavedView[]
  here: { page: string; search: string }
  onRename: (view: SavedView) => void
  onGone: () => void
  onClose: () => void
}

/** Those of this list come first. */
const Views = ({ title, views, here, onRename, onGone, onClose }: ViewsProps) =>
  views.length === 0 ? null : (
    <section>
      <h2 className={classes.title}>{title}</h2>
      <ul className={classes.views}>
        {views
          .toSorted((a, b) => Number(b.page === here.page) - Number(a.page === here.page))
          .map((view) => (
            <ViewRow
              key={view._id}
              view={view}
              isCurrent={isSamePlace(view, here)}
              isOfThisList={view.page === here.page}
              onRename={() => onRename(view)}
              onGone={onGone}
              onOpen={onClose}
            />
          ))}
      </ul>
    </section>
  )

/** The views of a list: one's own and the shared ones to go to, and the list as it is to be kept under a name. */
export const ViewPicker = memo(() => {
  const query = useViews()
  const page = useLocation({ select: (location) => location.pathname })
  const [address] = useAddress()
  const here = { page, search: writeSearch(address).slice(1) }
  const [isOpen, setOpen] = useState(false)
  const [asking, setAsking] = useState<Asking | null>(null)
  const saving = useSaveView()
  const renaming = useRenameView()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)

  const ask = (next: Asking) => {
    saving.reset()
    renaming.reset()
    setOpen(false)
    setAsking(next)
  }
  const closeDialog = () => {
    setAsking(null)
    button.current?.focus()
  }
  const changing = asking?.for === 'rename' ? renaming : saving
  const keep = (name: string) => {
    const done = { onSuccess: closeDialog }
    if (asking?.for === 'rename') renaming.mutate({ id: asking.view._id, name }, done)
    else saving.mutate({ name, ...here }, done)
  }
  const sections = { here, onRename: (view: SavedView) => ask({ for: 'rename', view }), onClose: () => setOpen(false) }

  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width={340}
        shadow="md"
        radius="lg"
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <button ref={button} type="button" className={chips.chip} data-print="no" onClick={() => setOpen(!isOpen)}>
            <IconBookmark size={16} stroke={1.75} aria-hidden />
            Views
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Views" className={classes.panel}>
          <div ref={panel} tabIndex={-1}>
            <button type="button" className={classes.save} data-autofocus onClick={() => ask({ for: 'save' })}>
              <IconBookmarkPlus size={18} stroke={1.75} aria-hidden />
              Save this view…
            </button>
            <LoadedList query={query} skeleton={null}>
              {(views) =>
                views.length === 0 ? (
                  <p className={classes.none}>No saved views. Save this list with its filters to open it again later.</p>
                ) : (
                  <>
                    <Views
                      title="Your views"
                      views={views.filter((view) => view.mine)}
                      onGone={() => panel.current?.focus()}
                      {...sections}
                    />
                    <Views
                      title="Shared with everyone"
                      views={views.filter((view) => !view.mine)}
                      onGone={() => panel.current?.focus()}
                      {...sections}
                    />
                  </>
                )
              }
            </LoadedList>
          </div>
        </Popover.Dropdown>
      </Popover>
      {asking ? (
        <NameDialog
          title={asking.for === 'rename' ? 'Rename view' : 'Save this view'}
          name={asking.for === 'rename' ? asking.view.name : ''}
          about={aboutOf(asking.for === 'rename' ? asking.view : here)}
          save={asking.for === 'rename' ? 'Rename' : 'Save view'}
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
ViewPicker.displayName = 'ViewPicker'
