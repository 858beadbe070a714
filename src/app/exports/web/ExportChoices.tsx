import { IconChevronRight, IconFileSpreadsheet } from '@tabler/icons-react'

import type { ExportKind } from '../contract.ts'
import { EXPORTS } from '../contract.ts'
import { EXPORT_DESCRIPTIONS } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './ExportChoices.module.css'

/** The available workbooks, while none is selected. */
export const ExportChoices = ({ kinds, onChoose }: { kinds: readonly ExportKind[]; onChoose: (kind: ExportKind) => void }) => (
  <ul className={`${layoutClasses.card} ${layoutClasses.clipped} ${classes.kinds}`} aria-label="Exports">
    {kinds.map((kind) => (
      <li key={kind}>
        <button
          type="button"
          className={`${layoutClasses.row} ${layoutClasses.hoverable} ${layoutClasses.fullWidth} ${classes.kind}`}
          onClick={() => onChoose(kind)}
        >
          <IconFileSpreadsheet size={20} stroke={1.75} aria-hidden className={textClasses.ok} />
          <span className={layoutClasses.fillingColumn}>
            <span className={textClasses.strong}>{EXPORTS[kind].name}</span>
            <span className={textClasses.detail}>{EXPORT_DESCRIPTIONS[kind]}</span>
          </span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden className={textClasses.dimmed} />
        </button>
      </li>
    ))}
  </ul>
)
