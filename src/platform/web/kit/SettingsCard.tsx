import type { ReactNode } from 'react'

import { Section } from './Section.tsx'

import layoutClasses from './Layout.module.css'
import classes from './SettingsCard.module.css'
import textClasses from './Text.module.css'

interface SettingsCardProps {
  title: string
  about: string
  children: ReactNode
}

/** Settings that are saved one by one: what they are for, and their rows. */
export const SettingsCard = ({ title, about, children }: SettingsCardProps) => (
  <div className={classes.card}>
    <Section title={title}>
      <p className={`${textClasses.detail} ${classes.about}`}>{about}</p>
      {children}
    </Section>
  </div>
)

export const SettingsRows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

interface SettingsRowProps {
  icon?: ReactNode
  name: string
  /** Spans below the name, a line each. */
  details: ReactNode
  /** The buttons that change it. */
  children: ReactNode
}

export const SettingsRow = ({ icon, name, details, children }: SettingsRowProps) => (
  <li className={`${layoutClasses.row} ${layoutClasses.lineAbove} ${classes.row}`}>
    {icon}
    <span className={`${layoutClasses.fillingColumn} ${textClasses.lines} ${classes.text}`}>
      <strong>{name}</strong>
      {details}
    </span>
    <span className={`${layoutClasses.wrappingRow} ${layoutClasses.gap10} ${classes.buttons}`}>{children}</span>
  </li>
)
