import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'

import { BackLink } from '../../../../platform/web/kit/BackLink.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { HelpText } from './HelpText.tsx'
import { useGuide } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './GuidePage.module.css'

type Guide = NonNullable<ReturnType<typeof useGuide>['data']>

const back = <BackLink to="/help" label="Help" />

const GuideContent = ({ guide: { id, title, sections } }: { guide: Guide }) => {
  useTitle(title)
  const [{ section }] = useSearchParams()
  useEffect(() => {
    if (typeof section === 'string') document.getElementById(section)?.scrollIntoView()
  }, [section, id])
  const titled = sections.filter((one) => one.title !== title)
  return (
    <>
      {back}
      <h1 tabIndex={-1} className={layoutClasses.topMargin8}>
        {title}
      </h1>
      <div className={classes.columns}>
        <nav aria-label="Sections" className={classes.contents}>
          <ul>
            {titled.map((one) => (
              <li key={one.id}>
                <Link
                  to="/help/$guide"
                  params={{ guide: id }}
                  search={{ section: one.id }}
                  replace
                  className={`${textClasses.link} ${textClasses.small} ${classes.link}`}
                >
                  {one.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={layoutClasses.shrinkable}>
          {sections.map((one) => (
            <section key={one.id} id={one.id} className={`${layoutClasses.sectionEnd} ${classes.section}`}>
              {one.title === title ? null : <h2 className={layoutClasses.bottomMargin12}>{one.title}</h2>}
              <HelpText html={one.html} />
            </section>
          ))}
        </div>
      </div>
    </>
  )
}

/** `/help/{guide}`: one guide, at the section that the address names. */
export const GuidePage = () => {
  const { guide } = useParams({ strict: false })
  return (
    <LoadedRecord query={useGuide(guide ?? '')} what="guide" back={back} skeleton={null}>
      {(loaded) => <GuideContent key={loaded.id} guide={loaded} />}
    </LoadedRecord>
  )
}
