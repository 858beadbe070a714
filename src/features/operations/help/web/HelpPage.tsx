import { Link } from '@tanstack/react-router'

import { RetryNotice } from '../../../../platform/web/kit/RetryNotice.tsx'
import { openPalette, PALETTE_KEYS } from '../../../../platform/web/palette.ts'
import { openShortcutList } from '../../../../platform/web/shortcuts.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { useHelpContents } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './HelpPage.module.css'

/** `/help`: the guides with their sections, at the reader's level. */
export const HelpPage = () => {
  useTitle('Help')
  const contents = useHelpContents()
  return (
    <>
      <div className={layoutClasses.pageHead}>
        <div>
          <h1 tabIndex={-1}>Help</h1>
          <p className={`${textClasses.dimmed} ${layoutClasses.topMargin4}`}>
            Type a question into{' '}
            <button type="button" className={`${textClasses.linkColor} ${textClasses.underlined}`} onClick={() => openPalette('how do I ')}>
              the search
            </button>{' '}
            ({PALETTE_KEYS}), such as “how do I change hours of many sites”. The question mark at the top of every page opens the help about
            that page.
          </p>
        </div>
        <button type="button" className={`${textClasses.link} ${classes.keys}`} onClick={openShortcutList}>
          Keyboard shortcuts
        </button>
      </div>
      {contents.error ? <RetryNotice query={contents} /> : null}
      <div className={classes.guides}>
        {contents.data?.map(({ id, title, sections }) => (
          <section key={id} className={`${layoutClasses.card} ${classes.guide}`} aria-labelledby={`guide-${id}`}>
            <h2 id={`guide-${id}`}>
              <Link to="/help/$guide" params={{ guide: id }} className={textClasses.name}>
                {title}
              </Link>
            </h2>
            <ul className={layoutClasses.topMargin8}>
              {sections
                .filter((section) => section.title !== title)
                .map((section) => (
                  <li key={section.id}>
                    <Link
                      to="/help/$guide"
                      params={{ guide: id }}
                      search={{ section: section.id }}
                      className={`${textClasses.link} ${textClasses.small} ${classes.section}`}
                    >
                      {section.title}
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
