import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'

import layoutClasses from '../kit/Layout.module.css'
import classes from './Menu.module.css'

export interface MenuEntry {
  label: string
  to: string
  /** Path prefixes of other pages that belong to it. */
  covers?: readonly string[]
  /** Entries one level below it. */
  below?: readonly MenuEntry[]
}

export interface MenuSection {
  label: string
  icon: Icon
  entries: readonly MenuEntry[]
  /** Pages that open this section without being an entry of it. */
  covers?: readonly string[]
}

const isPathCovered = ({ to, covers = [] }: Pick<MenuEntry, 'to' | 'covers'>, path: string): boolean =>
  path === to || covers.some((beginning) => path.startsWith(beginning))
const isIn = ({ entries, covers = [] }: MenuSection, path: string): boolean =>
  covers.some((beginning) => path.startsWith(beginning)) ||
  entries.some((entry) => isPathCovered(entry, path) || entry.below?.some((lower) => isPathCovered(lower, path)))

const current = (entry: MenuEntry, path: string) => (path === entry.to ? 'page' : isPathCovered(entry, path) ? 'true' : undefined)

/** A top-level link of the menu. */
export const MenuLink = ({ label, to, icon: IconComponent, mark }: { label: string; to: string; icon: Icon; mark?: ReactNode }) => {
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <Link
      to={to}
      className={`${layoutClasses.hoverable} ${classes.row}`}
      data-current={path === to || undefined}
      activeOptions={{ exact: true }}
    >
      <IconComponent size={18} stroke={1.75} aria-hidden />
      {label}
      {mark}
    </Link>
  )
}

/** A menu item that runs an action. */
export const MenuButton = ({ label, icon: IconComponent, onClick }: { label: string; icon: Icon; onClick: () => void }) => (
  <button type="button" className={`${layoutClasses.hoverable} ${classes.row}`} onClick={onClick}>
    <IconComponent size={18} stroke={1.75} aria-hidden />
    {label}
  </button>
)

const Entry = ({ entry, path, lower = false }: { entry: MenuEntry; path: string; lower?: boolean }) => (
  <li>
    <Link
      to={entry.to}
      className={lower ? `${layoutClasses.hoverable} ${classes.subEntry}` : `${layoutClasses.hoverable} ${classes.entry}`}
      data-current={isPathCovered(entry, path) || undefined}
      aria-current={current(entry, path)}
      activeOptions={{ exact: true }}
    >
      {entry.label}
    </Link>
    {entry.below && entry.below.length > 0 ? (
      <ul>
        {entry.below.map((one) => (
          <Entry key={one.to} entry={one} path={path} lower />
        ))}
      </ul>
    ) : null}
  </li>
)

/** The menu's sections: opening one closes the others. The current page opens its own. */
export const MenuSections = ({ sections }: { sections: readonly MenuSection[] }) => {
  const path = useLocation({ select: (location) => location.pathname })
  const here = sections.find((section) => isIn(section, path))?.label
  const [open, setOpen] = useState<string | null>(here ?? sections[0]?.label ?? null)
  const [seen, setSeen] = useState(path)
  if (path !== seen) {
    setSeen(path)
    if (here) setOpen(here)
  }

  return sections.map((section, at) => {
    const isOpen = section.label === open
    const Chevron = isOpen ? IconChevronDown : IconChevronRight
    return (
      <div key={section.label}>
        <button
          type="button"
          className={`${layoutClasses.hoverable} ${classes.section}`}
          aria-expanded={isOpen}
          aria-controls={`menu-section-${at}`}
          onClick={() => setOpen(isOpen ? null : section.label)}
        >
          <section.icon size={18} stroke={1.75} aria-hidden />
          <span className={layoutClasses.growing}>{section.label}</span>
          <Chevron size={16} stroke={1.75} aria-hidden />
        </button>
        <ul id={`menu-section-${at}`} hidden={!isOpen}>
          {section.entries.map((entry) => (
            <Entry key={entry.to} entry={entry} path={path} />
          ))}
        </ul>
      </div>
    )
  })
}
