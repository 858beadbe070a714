import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './AccountPage.module.css'

interface EndedEntry {
  readonly _id: string
  readonly name: string
  readonly detail: string | null
  /** When and how it ended. */
  readonly end: string
}

/** Recently ended sessions or tokens, collapsed by default because they are only needed to investigate something suspicious. */
export const EndedList = ({ title, over }: { title: string; over: readonly EndedEntry[] }) =>
  over.length === 0 ? null : (
    <details className={classes.ended}>
      <summary>
        {title} <span className={textClasses.dimmed}>{over.length}</span>
      </summary>
      <ul className={`${layoutClasses.topMargin4} ${classes.endedRows}`} aria-label={title}>
        {over.map(({ _id, name, detail, end }) => (
          <li key={_id}>
            <span className={textClasses.strong}>{name}</span>
            <span className={textClasses.dimmed}>
              {detail === null ? null : <span>{detail}</span>}
              <span>{end}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
