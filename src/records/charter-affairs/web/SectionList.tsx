import { NativeSelect, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { MouseEvent } from 'react'

import { type ShownSection, countShown } from './sections.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Affair.module.css'

/** The number of unsaved changes by section anchor. */
export type ChangedCounts = Readonly<Record<string, number>>

interface SectionListProps {
  sections: readonly ShownSection[]
  isFiltering: boolean
  /** The anchor of the section or subheading in view. */
  currentAnchor: string | undefined
  onGo: (anchor: string) => void
  changedCounts?: ChangedCounts | undefined
}

const containsAnchor = (section: ShownSection, anchor: string | undefined): boolean =>
  anchor === section.anchor || (section.kind === 'fields' && section.groups.some((group) => group.anchor === anchor))

const isPlainClick = (event: MouseEvent): boolean => !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** The list of sections beside the page. It marks the one in view and counts what the filter keeps. */
export const SectionList = ({ sections, isFiltering, currentAnchor, onGo, changedCounts = {} }: SectionListProps) => {
  const link = (anchor: string, current: boolean) => ({
    href: `#${anchor}`,
    'aria-current': current ? ('location' as const) : undefined,
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      onGo(anchor)
    },
  })
  return (
    <nav aria-label="Sections" className={layoutClasses.topMargin12}>
      <ul>
        {sections.map((section) => {
          const count = isFiltering ? countShown(section) : section.total
          const here = containsAnchor(section, currentAnchor)
          const changed = changedCounts[section.anchor] ?? 0
          const words = (
            <>
              <span>{section.title}</span>
              {changed > 0 ? (
                <span className={`${layoutClasses.waitGround} ${textClasses.strong} ${textClasses.tinyFont} ${classes.changedHere}`}>
                  {changed}
                  <VisuallyHidden> changed</VisuallyHidden>
                </span>
              ) : null}
              <span className={`${textClasses.figures} ${textClasses.smallerFont} ${classes.count}`}>{count}</span>
            </>
          )
          return (
            <li key={section.name}>
              {isFiltering && count === 0 ? (
                <span className={`${layoutClasses.row} ${textClasses.smallFont} ${textClasses.textColor} ${classes.entry}`} data-none>
                  {words}
                </span>
              ) : (
                <a
                  className={`${layoutClasses.row} ${textClasses.smallFont} ${textClasses.textColor} ${classes.entry}`}
                  data-here={here || undefined}
                  {...link(section.anchor, here)}
                >
                  {words}
                </a>
              )}
              {section.kind === 'fields' && !isFiltering && section.groups.length > 1 ? (
                <ul>
                  {section.groups.map((group) => (
                    <li key={group.anchor}>
                      <a
                        className={`${layoutClasses.row} ${textClasses.note} ${classes.subEntry}`}
                        {...link(group.anchor, group.anchor === currentAnchor)}
                      >
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

/** The same as a select, on narrow screens. */
export const SectionPicker = ({ sections, isFiltering, currentAnchor, onGo }: SectionListProps) => {
  const visibleSections = isFiltering ? sections.filter((section) => countShown(section) > 0) : sections
  const at = Math.max(
    0,
    visibleSections.findIndex((section) => containsAnchor(section, currentAnchor)),
  )
  return (
    <NativeSelect
      aria-label="Section"
      className={`${layoutClasses.filling} ${classes.picker}`}
      disabled={visibleSections.length === 0}
      value={visibleSections[at]?.anchor ?? ''}
      onChange={(event) => onGo(event.currentTarget.value)}
      rightSectionWidth={96}
      rightSectionPointerEvents="none"
      rightSection={
        <span className={`${layoutClasses.inlineRow} ${textClasses.note} ${layoutClasses.fullWidth} ${classes.pickerPosition}`}>
          {visibleSections.length === 0 ? 'none' : `${at + 1} of ${visibleSections.length}`}
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </span>
      }
      data={visibleSections.map((section) => ({ value: section.anchor, label: section.title }))}
    />
  )
}
