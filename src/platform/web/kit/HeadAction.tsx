import { Button, Menu } from '@mantine/core'
import { IconDotsVertical } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { createContext, use, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactElement, ReactNode, Ref, RefObject } from 'react'
import { createPortal } from 'react-dom'

import { useIsNarrow } from '../narrow.ts'
import { NEEDS_CONNECTION, useIsOffline } from '../offline.ts'

import classes from './HeadAction.module.css'
import layoutClasses from './Layout.module.css'

interface OpenMenu {
  /** The element that contains the menu entries; null while the menu is closed. */
  readonly list: HTMLElement | null
  readonly setList: (list: HTMLElement | null) => void
  readonly button: RefObject<HTMLButtonElement | null>
  readonly close: () => void
}
const ActionsMenuContext = createContext<OpenMenu | null>(null)

interface HeadActionProps {
  children: string
  icon?: Icon
  onClick?: () => void
  /** Renders a link to a page of this app: `(props) => <Link to="…" {...props} />`. */
  renderRoot?: (props: Record<string, unknown>) => ReactElement
  /** Any other URL. */
  href?: string
  download?: boolean
  isOtherTab?: boolean
  opensDialog?: boolean
  isFilled?: boolean
  isDisabled?: boolean
  /** Whether it can be done without a network; links to pages, and to call, write or see a map, always can. */
  worksOffline?: boolean
  /** On tablets only the icon is shown. */
  isBrief?: boolean
  /** Returns focus to this button after what it opened closes; within the menu, to the menu's button. */
  ref?: Ref<{ focus: () => void }>
}

/** An action on a record: a button in the head of its page, or on phones an entry of a menu. */
export const HeadAction = ({
  children,
  icon: IconComponent,
  onClick,
  renderRoot,
  href,
  download,
  isOtherTab,
  opensDialog,
  isFilled = false,
  isDisabled,
  worksOffline = false,
  isBrief = false,
  ref,
}: HeadActionProps) => {
  const needsNetwork = useIsOffline() && !worksOffline && (href === undefined ? renderRoot === undefined : download)
  const menu = use(ActionsMenuContext)
  const own = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => (menu?.button ?? own).current?.focus() }), [menu])
  const iconElement = IconComponent ? <IconComponent size={17} stroke={1.75} aria-hidden /> : null
  const address =
    href === undefined ? {} : { component: 'a' as const, href, download, ...(isOtherTab ? { target: '_blank', rel: 'noreferrer' } : {}) }
  const way = {
    ...address,
    ...(renderRoot ? { renderRoot } : {}),
    ...(opensDialog ? { 'aria-haspopup': 'dialog' as const } : {}),
    disabled: isDisabled || needsNetwork,
    ...(needsNetwork ? { title: NEEDS_CONNECTION } : {}),
  }
  if (menu === null)
    return (
      <Button
        {...way}
        ref={own}
        variant={isFilled ? 'filled' : 'default'}
        leftSection={iconElement}
        onClick={onClick}
        data-print="no"
        {...(isBrief ? { className: classes.iconOnly, title: needsNetwork ? way.title : children } : {})}
      >
        {isBrief ? <span className={classes.label}>{children}</span> : children}
      </Button>
    )
  if (menu.list === null) return null
  // A dialog opened by this action returns focus to the menu's button, which still exists when the dialog closes.
  const choose = () => {
    menu.button.current?.focus()
    onClick?.()
  }
  // The entries are inside the menu only in the DOM, so the menu's own key handlers do not reach them.
  const leave = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' && key !== 'Tab') return
    menu.button.current?.focus()
    menu.close()
  }
  return createPortal(
    <Menu.Item {...way} leftSection={iconElement} onClick={choose} onKeyDown={leave} className={classes.entry}>
      {children}
    </Menu.Item>,
    menu.list,
  )
}

/** A HeadAction that leads to a page of this app. */
export const HeadLink = ({ to, ...action }: Pick<HeadActionProps, 'children' | 'icon'> & { to: string }) => (
  <HeadAction {...action} renderRoot={(link) => <Link to={to} {...link} />} />
)

/** Whether the actions are currently in a menu. */
export const useIsInMenu = (): boolean => use(ActionsMenuContext) !== null

/**
 * Wraps the HeadActions of a page and its MoreButton. They stay mounted outside the menu, so that a dialog opened by one of them outlives the menu.
 */
export const HeadActionsProvider = ({ children }: { children: ReactNode }) => {
  const narrow = useIsNarrow()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [list, setList] = useState<HTMLElement | null>(null)
  const menu = useMemo(() => ({ list, setList, button, close: () => setOpen(false) }), [list])
  // Sets the initial focus in the menu.
  useLayoutEffect(() => list?.querySelector('[role="menuitem"]')?.setAttribute('data-autofocus', ''), [list])
  const keepFocus = () => {
    if (list?.contains(document.activeElement)) button.current?.focus()
  }
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      radius="lg"
      width={240}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      returnFocus={false}
      onClose={keepFocus}
    >
      <ActionsMenuContext value={narrow ? menu : null}>{children}</ActionsMenuContext>
    </Menu>
  )
}

/** A HeadAction that stays a button on phones. */
export const AsButton = ({ children }: { children: ReactNode }) => <ActionsMenuContext value={null}>{children}</ActionsMenuContext>

const OpenButton = ({ button, onList }: { button: OpenMenu['button']; onList: OpenMenu['setList'] }) => (
  <>
    <Menu.Target>
      <button
        ref={button}
        type="button"
        className={`${layoutClasses.centered} ${layoutClasses.rigidFlex} ${layoutClasses.outlined} ${classes.more}`}
        aria-label="More actions"
        data-print="no"
      >
        <IconDotsVertical size={20} stroke={1.75} aria-hidden />
      </button>
    </Menu.Target>
    <Menu.Dropdown>
      <div ref={onList} role="presentation" />
    </Menu.Dropdown>
  </>
)

/** On phones, the button that opens the menu. */
export const MoreButton = () => {
  const menu = use(ActionsMenuContext)
  return menu === null ? null : <OpenButton button={menu.button} onList={menu.setList} />
}

/** HeadActions in a row; on phones behind one button. */
export const HeadActions = ({ children }: { children: ReactNode }) => (
  <HeadActionsProvider>
    <div className={layoutClasses.wrappingRow} data-print="no">
      {children}
      <MoreButton />
    </div>
  </HeadActionsProvider>
)
