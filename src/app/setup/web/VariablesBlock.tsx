import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'

import { CopyButton } from '../../../platform/web/kit/CopyButton.tsx'
import type { Variable } from '../contract.ts'
import { VARIABLE_TEXTS } from '../rules.ts'
import { useSetup } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Setup.module.css'

interface VariablesBlockProps {
  variables: readonly Variable[]
  /** What a line says once more is known. */
  fill?: (line: string) => string
}

/** Settings of the server’s environment: what each is for, whether it is set, and the missing ones as a block to copy. */
export const VariablesBlock = ({ variables, fill = (line) => line }: VariablesBlockProps) => {
  const query = useSetup()
  const missing = variables.filter(({ isSet }) => !isSet)
  const block = missing.map(({ line }) => fill(line)).join('\n')
  return (
    <>
      <ul aria-label="Settings of the server">
        {variables.map(({ name, isSet }) => (
          <li key={name} className={`${layoutClasses.topRow} ${layoutClasses.lineAbove} ${classes.finding}`}>
            {isSet ? (
              <IconCircleCheckFilled size={18} aria-hidden className={textClasses.ok} />
            ) : (
              <IconCircleX size={18} stroke={1.75} aria-hidden className={textClasses.dimmed} />
            )}
            <span className={layoutClasses.breakable}>
              <code>{name}</code> <strong>{isSet ? 'is set' : 'is not set'}</strong>
              <span className={`${layoutClasses.block} ${textClasses.note}`}>{VARIABLE_TEXTS[name]}</span>
            </span>
          </li>
        ))}
      </ul>
      {missing.length === 0 ? null : (
        <>
          <p>
            On the server, add these lines to the file <code>/etc/homeroom/environment</code>, with your own values instead of the words in
            capitals. Then run <code>homeroom restart</code> there, and check the settings here. If you started Homeroom with{' '}
            <code>npm start</code>, stop it and set them as environment variables before you start it again.
          </p>
          <div className={`${layoutClasses.topRow} ${layoutClasses.framed} ${layoutClasses.sunkenGround} ${classes.block}`}>
            <pre>{block}</pre>
            <CopyButton value={block} what="settings" />
          </div>
          <div>
            <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
              Check the Settings
            </Button>
          </div>
        </>
      )}
    </>
  )
}
