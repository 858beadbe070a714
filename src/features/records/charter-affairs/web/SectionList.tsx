import { NativeSelect, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { MouseEvent } from 'react'

import { type ShownSection, shownCount } from './sections.ts'

import classes from './affair.module.css'

/** By the anchors of sections: how many of their fields are changed and not saved. */
export type ChangedIn = Readonly<Record<string, number>>

interface SectionListProps {
  sections: readonly ShownSection[]
  filtering: boolean
  /** The anchor of the section or sub-heading the reader has come to. */
  place: string | undefined
  go: (anchor: string) => void
  changedIn?: ChangedIn | undefined
}

const within = (section: ShownSection, place: string | undefined): boolean =>
  place === section.anchor || (section.kind === 'fields' && section.groups.some((group) => group.anchor === place))

const plainClick = (event: MouseEvent): boolean => !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** The list of sections beside the page: it follows the reader, and its counts follow the filter. */
export const SectionList = ({ sections, filtering, place, go, changedIn = {} }: SectionListProps) => {
  const link = (anchor: string, current: boolean) => ({
    href: `#${anchor}`,
    'aria-current': current ? ('location' as const) : undefined,
    onClick: (event: MouseEvent) => {
      if (!plainClick(event)) return
      event.preventDefault()
      go(anchor)
    },
  })
  return (
    <nav aria-label="Sections" className={classes.list}>
      <ul>
        {sections.map((section) => {
          const count = filtering ? shownCount(section) : section.total
          const here = within(section, place)
          const changed = changedIn[section.anchor] ?? 0
          const words = (
            <>
              <span>{section.title}</span>
              {changed > 0 ? (
                <span className={classes.changedHere}>
                  {changed}
                  <VisuallyHidden> changed</VisuallyHidden>
                </span>
              ) : null}
              <span className={classes.count}>{count}</span>
            </>
          )
          return (
            <li key={section.name}>
              {filtering && count === 0 ? (
                <span className={classes.entry} data-none>
                  {words}
                </span>
              ) : (
                <a className={classes.entry} data-here={here || undefined} {...link(section.anchor, here)}>
                  {words}
                </a>
              )}
              {section.kind === 'fields' && !filtering && section.groups.length > 1 ? (
                <ul>
                  {section.groups.map((group) => (
                    <li key={group.anchor}>
                      <a className={classes.subEntry} {...link(group.anchor, group.anchor === place)}>
                        {group.title}
                      </a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** The same as one field to choose from, where there is no room for a list. */
export const SectionPicker = ({ sections, filtering, place, go }: SectionListProps) => {
  const there = filtering ? sections.filter((section) => shownCount(section) > 0) : sections
  const at = Math.max(
    0,
    there.findIndex((section) => within(section, place)),
  )
  return (
    <NativeSelect
      aria-label="Section"
      className={classes.picker}
      disabled={there.length === 0}
      value={there[at]?.anchor ?? ''}
      onChange={(event) => go(event.currentTarget.value)}
      rightSectionWidth={96}
      rightSectionPointerEvents="none"
      rightSection={
        <span className={classes.pickerPlace}>
          {there.length === 0 ? 'none' : `${at + 1} of ${there.length}`}
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </span>
      }
      data={there.map((section) => ({ value: section.anchor, label: section.title }))}
    />
  )
}
