import type { TablerIcon } from '@tabler/icons-react'
import { useId } from 'react'

import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'
import classes from './ViewSwitch.module.css'

/** One of the ways in which a page shows its content. */
export interface ViewChoice<V extends string> {
  readonly view: V
  readonly label: string
  readonly title?: string
  readonly icon: TablerIcon
}

interface ViewSwitchProps<V extends string> {
  readonly legend: string
  readonly choices: readonly ViewChoice<V>[]
  readonly view: V
  readonly onChange: (view: V) => void
  /** Shows only the icons where there is little space; the labels remain their names. */
  readonly isShort?: boolean
}

/** Radio buttons side by side that change the view of a page. */
export const ViewSwitch = <V extends string>({ legend, choices, view, onChange, isShort = false }: ViewSwitchProps<V>) => {
  const name = useId()
  return (
    <fieldset
      className={`${layoutClasses.positioned} ${layoutClasses.rounded} ${classes.views}`}
      data-short={isShort || undefined}
      data-print="no"
    >
      <legend className={layoutClasses.visuallyHidden}>{legend}</legend>
      {choices.map(({ view: one, label, title = label, icon: Icon }) => (
        <label
          key={one}
          className={`${layoutClasses.centered} ${textClasses.note} ${layoutClasses.positioned} ${layoutClasses.hoverable} ${classes.view}`}
          title={title}
        >
          <input type="radio" name={name} className={layoutClasses.visuallyHidden} checked={view === one} onChange={() => onChange(one)} />
          <Icon size={17} stroke={1.75} aria-hidden />
          <span className={classes.label}>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
