import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconX } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { setHelpOpen } from '../../../../platform/web/help-window.ts'
import { RetryNotice } from '../../../../platform/web/kit/RetryNotice.tsx'
import { openShortcutList } from '../../../../platform/web/shortcuts.ts'
import type { HelpGuide } from '../contract.ts'
import { HelpText, type SectionAddress } from './HelpText.tsx'
import { useGuide, useHelpContents } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './HelpDrawer.module.css'

interface ListedSection {
  readonly guide: string
  readonly section: string
  readonly title: string
}

/** The sections about a page; first those that name it first. */
const findSections = (guides: readonly HelpGuide[], page: string): ListedSection[] =>
  guides
    .flatMap((guide) => guide.sections.map((section) => ({ guide: guide.id, ...section })))
    .filter(({ pages }) => pages.includes(page))
    .toSorted((a, b) => a.pages.indexOf(page) - b.pages.indexOf(page))
    .map(({ guide, id, title }) => ({ guide, section: id, title }))

interface TextProps extends SectionAddress {
  readonly onOpen: (address: SectionAddress) => void
  /** Whether the title is shown above it. */
  readonly isTitled?: boolean
}

const SectionText = ({ guide, section, onOpen, isTitled = false }: TextProps) => {
  const query = useGuide(guide)
  const sections = query.data?.sections ?? []
  // A link may lead to a heading within a section.
  const found =
    section === undefined
      ? sections[0]
      : (sections.find(({ id }) => id === section) ?? sections.find(({ html }) => html.includes(` id="${section}"`)))
  if (query.error) return <RetryNotice query={query} />
  if (!query.data) return <p className={textClasses.note}>Loading…</p>
  return (
    <>
      {isTitled ? <h3 className={layoutClasses.bottomMargin12}>{found?.title ?? query.data.title}</h3> : null}
      {found ? <HelpText html={found.html} onOpen={onOpen} /> : <p className={textClasses.note}>This section is not for your level.</p>}
    </>
  )
}

const Sections = ({ sections, onOpen }: { sections: readonly ListedSection[]; onOpen: TextProps['onOpen'] }) => {
  const [open, setOpen] = useState(0)
  return sections.map(({ guide, section, title }, at) => (
    <details key={`${guide}#${section}`} open={at === open} className={layoutClasses.lineBelow}>
      <summary
        className={`${textClasses.strong} ${layoutClasses.blockPadding12}`}
        onClick={(event) => {
          event.preventDefault()
          setOpen(at === open ? -1 : at)
        }}
      >
        {title}
      </summary>
      {at === open ? (
        <div className={classes.text}>
          <SectionText guide={guide} section={section} onOpen={onOpen} />
        </div>
      ) : null}
    </details>
  ))
}

/** The help beside the page: the sections about it. The page stays usable. */
export const HelpDrawer = () => {
  const page = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '/' })
  const contents = useHelpContents()
  const [chosen, setChosen] = useState<{ page: string; address: SectionAddress }>()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const close = () => {
    setHelpOpen(false)
    document.getElementById('help-button')?.focus()
  }
  const address = chosen?.page === page ? chosen.address : undefined
  const open = (next: SectionAddress) => setChosen({ page, address: next })
  const sections = findSections(contents.data ?? [], page)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className={`${layoutClasses.vertical} ${classes.drawer}`}
      aria-labelledby="help-title"
      data-print="no"
      onKeyDown={({ key, defaultPrevented }) => {
        if (key === 'Escape' && !defaultPrevented) close()
      }}
    >
      <div className={`${layoutClasses.row} ${layoutClasses.lineBelow} ${layoutClasses.rigid} ${classes.head}`}>
        {address ? (
          <ActionIcon aria-label="Back to the sections of this page" onClick={() => setChosen(undefined)}>
            <IconChevronLeft size={20} stroke={1.75} />
          </ActionIcon>
        ) : null}
        <h2 ref={heading} id="help-title" tabIndex={-1} className={layoutClasses.filling}>
          Help
        </h2>
        <ActionIcon aria-label="Close help" onClick={close}>
          <IconX size={20} stroke={1.75} />
        </ActionIcon>
      </div>
      <div className={`${layoutClasses.scrolling} ${layoutClasses.filling} ${classes.body}`}>
        {contents.error ? <RetryNotice query={contents} /> : null}
        {address ? <SectionText {...address} onOpen={open} isTitled /> : <Sections key={page} sections={sections} onOpen={open} />}
        {contents.data && !address && sections.length === 0 ? <p className={textClasses.note}>No help about this page.</p> : null}
      </div>
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.lineAbove} ${layoutClasses.rigid} ${classes.foot}`}>
        <Link
          to="/help"
          className={`${textClasses.link} ${layoutClasses.alignCenter} ${layoutClasses.inlineFlex} ${layoutClasses.targetHeight}`}
        >
          All help
        </Link>
        <button
          type="button"
          className={`${textClasses.link} ${layoutClasses.alignCenter} ${layoutClasses.inlineFlex} ${layoutClasses.targetHeight}`}
          onClick={openShortcutList}
        >
          Keyboard shortcuts
        </button>
      </div>
    </aside>
  )
}
