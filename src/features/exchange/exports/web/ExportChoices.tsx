import { IconChevronRight, IconFileSpreadsheet } from '@tabler/icons-react'

import type { ExportKind } from '../contract.ts'
import { EXPORTS } from '../contract.ts'
import { EXPORT_DESCRIPTIONS } from '../rules.ts'

import classes from './ExportChoices.module.css'

/** The available workbooks, while none is selected. */
export const ExportChoices = ({ kinds, onChoose }: { kinds: readonly ExportKind[]; onChoose: (kind: ExportKind) => void }) => (
  <ul className={classes.kinds} aria-label="Exports">
    {kinds.map((kind) => (
      <li key={kind}>
        <button type="button" className={classes.kind} onClick={() => onChoose(kind)}>
          <IconFileSpreadsheet size={20} stroke={1.75} aria-hidden className={classes.icon} />
          <span className={classes.words}>
            <span className={classes.name}>{EXPORTS[kind].name}</span>
            <span className={classes.about}>{EXPORT_DESCRIPTIONS[kind]}</span>
          </span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden className={classes.chevron} />
        </button>
      </li>
    ))}
  </ul>
)
