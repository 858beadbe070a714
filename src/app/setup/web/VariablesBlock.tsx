import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'

import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import type { Variable } from '../contract.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Setup.module.css'

interface VariablesBlockProps {
  variables: readonly Variable[]
  /** What a line says once more is known. */
  fill?: (line: string) => string
}

/** Settings of the server’s environment: which of them it has, and the missing ones as a block to copy. */
export const VariablesBlock = ({ variables, fill = (line) => line }: VariablesBlockProps) => {
  const missing = variables.filter(({ isSet }) => !isSet)
  const block = missing.map(({ line }) => fill(line)).join('\n')
  return (
    <>
      <ul className={classes.variables} aria-label="Settings of the server">
        {variables.map(({ name, isSet }) => (
          <li key={name} className={layoutClasses.inlineRow}>
            {isSet ? (
              <IconCircleCheckFilled size={17} aria-hidden className={textClasses.ok} />
            ) : (
              <IconCircleX size={17} stroke={1.75} aria-hidden className={textClasses.dimmed} />
            )}
            <code>{name}</code> {isSet ? 'is set' : 'is not set'}
          </li>
        ))}
      </ul>
      {missing.length === 0 ? null : (
        <>
          <p>
            Add these lines to <code>/etc/homeroom/environment</code> on the server, with your own values in place of the words in capitals.
            Then run <code>homeroom restart</code>, and load this page again. For <code>npm start</code> they are environment variables.
          </p>
          <div className={`${layoutClasses.topRow} ${layoutClasses.framed} ${layoutClasses.sunkenGround} ${classes.block}`}>
            <pre>{block}</pre>
            <CopyButton value={block} what="settings" />
          </div>
        </>
      )}
    </>
  )
}
